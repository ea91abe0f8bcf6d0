"""What is written down while rules are worked out: nothing, or every step."""

from __future__ import annotations

from collections.abc import Callable

from dtables.evaluator.trace import Seen, Step

Maker = Callable[[tuple[Step, ...]], Step]


class Blank:
    """Writes nothing down. A step is opened, worked out, and closed; what happened between is inside."""

    def __init__(self) -> None:
        self.seen: Seen = {}

    def open(self) -> int:
        return 0

    def close(self, mark: int, make: Maker, key: object = None) -> None:
        """`key` names a value that is worked out once: reading it `again` is the same step."""

    def drop(self, mark: int) -> None:
        """Forget what happened since."""

    def again(self, key: object) -> None: ...


class Tape(Blank):
    """`steps` are those of what is open, `known` ones may be read again; `seen` are the values of parts of
    the condition that is worked out now, `made` those that the outcome of a row was made of."""

    def __init__(self) -> None:
        super().__init__()
        self.steps: list[Step] = []
        self.known: dict[object, Step] = {}
        self.made: Seen | None = None

    def open(self) -> int:
        return len(self.steps)

    def close(self, mark: int, make: Maker, key: object = None) -> None:
        step = make(taken(self.steps, mark))
        self.steps.append(step)
        if key is not None:
            self.known[key] = step

    def drop(self, mark: int) -> None:
        del self.steps[mark:]

    def again(self, key: object) -> None:
        step = self.known.get(key)
        if step is not None:
            self.steps.append(step)


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
