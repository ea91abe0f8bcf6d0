"""Names of a vocabulary that are known while code is written: as keys, and one by one in place of a loop.

What is read by a name becomes an attribute where the name is known; so a loop over few names whose
part reads by them is written out.
"""

from __future__ import annotations

from dtables.compilers.python.code import Code, Site
from dtables.feel.types import Type, VocabularyType, plain
from dtables.model import expressions as model
from dtables.model.expressions import Variable
from dtables.program.nodes import (
    Call,
    CallStep,
    Comparison,
    Constant,
    EachName,
    Entry,
    Expression,
    Filter,
    Local,
    Name,
    Slot,
    Stored,
    nodes,
)

MOST_NAMES = 8
MOST_WRITTEN_OUT = 120
"""Nodes of all parts together."""


# -- keys --------------------------------------------------------------------------------------


def known_value(node: Expression, site: Site) -> Constant | Name | None:
    """The value that the node certainly has where it is being written."""
    match node:
        case Constant() | Name():
            return node
        case Local(slot=slot):
            return site.function.known.get(slot)
        case _:
            return None


def known_id(node: Expression, site: Site) -> str | None:
    known = known_value(node, site)
    return known.id if isinstance(known, Name) else None


def key_text(node: Expression, key: Code, site: Site) -> str:
    """Maps are keyed by ids, whatever a vocabulary's values are."""
    id_ = known_id(node, site)
    return repr(id_) if id_ is not None else id_text(node.type, key, site)


def id_text(type_: Type, key: Code, site: Site) -> str:
    match plain(type_):
        case VocabularyType(root=root) if site.ground.keyed(root):
            return f"{key.atom}.id"
        case _:
            return key.whole


# -- loops -------------------------------------------------------------------------------------


def written_out(variable: Variable, source: Expression, part: Expression, site: Site) -> list[Code] | None:
    """The part for each name that the source goes through; None where it is better left a loop."""
    if not reads_by(variable.number, part, site):
        return None
    ids = _ids(source, site)
    if ids is None or len(ids) > MOST_NAMES or len(ids) * _size(part) > MOST_WRITTEN_OUT:
        return None
    return [for_name(variable, id_, part, site) for id_ in ids]


def for_name(variable: Variable, id_: str, part: Expression, site: Site) -> Code:
    """The part, where the variable is the name."""
    kind = plain(variable.type)
    assert isinstance(kind, VocabularyType)
    name = Name(kind.root, id_, type=variable.type, where=part.where)
    site.function.known[variable.number] = name
    site.function.variables[variable.number] = site.code(name)
    code = site.code(part)
    del site.function.known[variable.number]
    return code


def by_name(variable: Variable, part: Expression, site: Site) -> Code:
    """A dict by id of what the part comes to for each name of the variable's type."""
    kind = plain(variable.type)
    assert isinstance(kind, VocabularyType)
    source = EachName(kind.name, type=variable.type, where=part.where)
    parts = written_out(variable, source, part, site)
    if parts is None:
        each = site.ground.eachs[kind.name]
        name, inside = site.bind(variable)
        key = id_text(kind, Code(name), site)
        return Code(f"{{{key}: {inside.code(part).whole} for {name} in {each}}}")
    ids = [label.id for label in site.ground.vocabularies[kind.name].names]
    return Code("{" + ", ".join(f"{i!r}: {c.whole}" for i, c in zip(ids, parts, strict=True)) + "}")


def reads_by(slot: Slot, part: Expression, site: Site) -> bool:
    """Is something in the part read by the variable's name?"""
    for node in nodes(part):
        match node:
            case Entry(key=Local(slot=key)) if key == slot:
                return True
            case Call(table=table, arguments=arguments) if table in site.ground.spread:
                if any(isinstance(a, Local) and a.slot == slot for a in arguments):
                    return True
            case CallStep(slot=step, arguments=(Local(slot=key),)) if key == slot:
                if step in site.ground.spread_steps or _step_reads_by(step, site):
                    return True
            case _:
                pass
    return False


def _step_reads_by(step: Slot, site: Site) -> bool:
    alone = site.function.written_out.get(step)
    if alone is None:
        return False
    return reads_by(alone.parameters[0].variable.number, site.ground.lowered.value(alone.value), site)


def gone_through(source: Expression) -> str | None:
    """The vocabulary whose names, or some of them, a loop goes through."""
    match source:
        case EachName(vocabulary=vocabulary) | Filter(of=EachName(vocabulary=vocabulary)):
            return vocabulary
        case _:
            return None


def _size(part: Expression) -> int:
    return sum(1 for _ in nodes(part))


def _ids(source: Expression, site: Site) -> list[str] | None:
    """In order; None where the names are not known beforehand."""
    match source:
        case EachName(vocabulary=vocabulary):
            return [label.id for label in site.ground.vocabularies[vocabulary].names]
        case Filter(
            of=EachName(vocabulary=vocabulary),
            item=item,
            condition=Comparison(operator="=", left=Stored(of=Local(slot=read), name=name), right=value),
        ) if read == item:
            return _ids_with(vocabulary, name, known_value(value, site), site)
        case _:
            return None


def _ids_with(vocabulary: str, field: str, value: Constant | Name | None, site: Site) -> list[str] | None:
    """The names whose rows have the value in a field."""
    whole = site.ground.vocabularies[vocabulary]
    if value is None or len(whole.rows) != len(whole.names):
        return None
    found = []
    for label, row in zip(whole.names, whole.rows, strict=True):
        match dict(row.values).get(field), value:
            case model.NameOf(vocabulary=root, id=held), Name(vocabulary=of, id=expected) if root == of:
                pass
            case model.Constant(value=str() as held), Constant(value=str() as expected):
                pass
            case _:
                return None
        if held == expected:
            found.append(label.id)
    return found
