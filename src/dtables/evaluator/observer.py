"""What sees the evaluator work: nobody, or a recorder that writes the steps down.

The evaluator tells what it does and never asks back; the answer is the same whoever looks on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

from dtables.evaluator.reasons import reasons
from dtables.evaluator.trace import Reasons, Step
from dtables.evaluator.watching import Watch
from dtables.feel.values import Value
from dtables.model.expressions import Expression

Maker = Callable[[tuple[Step, ...]], Step]


class Observer(Watch):
    """Sees nothing. The evaluator opens a step, works, and closes it; what happened between is inside.
    A recorder's `steps` are those of what is open, its `known` ones may be read again; `seen` are the values
    of parts of what is watched now, by the identity of the part."""

    def __init__(self) -> None:
        super().__init__()
        self.steps: list[Step] = []
        self.known: dict[object, Step] = {}
        self.seen: dict[int, Value] = {}

    def open(self) -> int:
        return 0

    def close(self, mark: int, make: Maker, key: object = None) -> None:
        """`key` names a value that is worked out once: reading it `again` is the same step."""

    def take(self, mark: int) -> tuple[Step, ...]:
        """What happened since, which the caller keeps."""
        del mark
        return ()

    def drop(self, mark: int) -> None:
        """Forgets what happened since: of a loop the result is told, not every item."""

    def again(self, key: object) -> None: ...

    def apart(self) -> Self:
        """What looks on where something is worked out once for all turns."""
        return type(self)()

    def watch(self) -> int:
        """From here on the values that parts of expressions have are looked at."""
        return 0

    def saw(self, part: Expression, value: Value) -> None: ...

    def why(self, watched: int, *conditions: Expression) -> Reasons:
        """What made conditions what they are, by what was seen since; ends the watch."""
        del watched, conditions
        return ()


class Recorder(Observer):
    """Writes the steps down."""

    def __init__(self) -> None:
        super().__init__()
        self._outer: list[dict[int, Value]] = []

    def open(self) -> int:
        return len(self.steps)

    def close(self, mark: int, make: Maker, key: object = None) -> None:
        step = make(self.take(mark))
        self.steps.append(step)
        if key is not None:
            self.known[key] = step

    def take(self, mark: int) -> tuple[Step, ...]:
        return taken(self.steps, mark)

    def drop(self, mark: int) -> None:
        del self.steps[mark:]

    def again(self, key: object) -> None:
        step = self.known.get(key)
        if step is not None:
            self.steps.append(step)

    def watch(self) -> int:
        self._outer.append(self.seen)
        self.seen = {}
        return len(self._outer)

    def saw(self, part: Expression, value: Value) -> None:
        self.seen[id(part)] = value

    def why(self, watched: int, *conditions: Expression) -> Reasons:
        values: dict[int, Value] = {}
        while len(self._outer) >= watched:
            values = self.seen | values
            self.seen = self._outer.pop()
        return tuple(reason for condition in conditions for reason in reasons(condition, values))


def taken(steps: list[Step], mark: int) -> tuple[Step, ...]:
    """The steps from a mark on, each once, which stand there no longer."""
    match len(steps) - mark:
        case 0:
            return ()
        case 1:
            return (steps.pop(),)
        case _:
            some = tuple(dict.fromkeys(steps[mark:]))
            del steps[mark:]
            return some
