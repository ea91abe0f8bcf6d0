"""Lists, loops, contexts and records, and what is worked out before a loop."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dtables.compilers.python.code import (
    Code,
    Function,
    Level,
    Module,
    NamingStyle,
    Site,
    indented,
    let,
    literal,
    null_safe,
)
from dtables.compilers.python.conditions import truth
from dtables.compilers.python.failing import may_fail
from dtables.compilers.python.identifiers import Identifiers, lower_snake
from dtables.compilers.python.naming import written_out
from dtables.compilers.python.operators import equal_in_python, is_boolean
from dtables.feel.types import ListType, NumberType, TextType, VocabularyType, may_be_null, plain
from dtables.model.expressions import Variable
from dtables.program import nodes as p
from dtables.program.nodes import (
    Comparison,
    Constant,
    EachName,
    Expression,
    Filter,
    For,
    Input,
    ItemAt,
    ItemEntry,
    Let,
    Local,
    Logic,
    MakeContext,
    MakeFunction,
    MakeList,
    MakeRange,
    MakeRecord,
    Member,
    Node,
    Quantified,
    Select,
    Slot,
    Stored,
    nodes,
)

# -- lists -------------------------------------------------------------------------------------


def is_list(node: Expression) -> bool:
    return isinstance(plain(node.type), ListType) and not may_be_null(node.type)


def items(node: Expression, loop: Node, site: Site) -> Code:
    """What a loop goes through."""
    code = site.code(node)
    return code if is_list(node) else Code(f"{site.uses('listed')}({code.whole}, {site.place(loop.where)})")


def item_at(node: ItemAt, site: Site) -> Code:
    if is_list(node.of) and isinstance(node.index, Constant) and node.index.value == 1:
        return let(
            site,
            site.code(node.of),
            "items",
            lambda first, again: Code(f"{again.atom}[0] if {first.atom} else None", Level.CHOICE),
        )
    helper, of = site.value_helper("item_at"), site.code(node.of)
    if (
        is_list(node.of)
        and isinstance(plain(node.index.type), NumberType)
        and not may_be_null(node.index.type)
    ):
        return Code(f"{helper}({of.whole}, {site.code(node.index).whole})")
    attempt = site.uses("attempt")
    return Code(f"{attempt}({site.place(node.where)}, {helper}, {of.whole}, {site.code(node.index).whole})")


def filtered(node: Filter, site: Site) -> Code:
    """Null of null."""
    if may_be_null(node.of.type):
        return null_safe(site, site.code(node.of), "items", lambda source: _kept(node, source, site))
    return _of_one_group(node, site) or _of_the_turn(node, site) or _plainly(node, site)


def _plainly(node: Filter, site: Site) -> Code:
    return _kept(node, site.in_iterable().code(node.of), site)


def _of_the_turn(node: Filter, site: Site) -> Code | None:
    """Rows of the workbook that a first condition picks, the same in all of a turn; the second one is then
    tried on those alone."""
    match node:
        case Filter(of=EachName(), condition=Logic(operator="and", left=first, right=second)):
            some = replace(node, condition=first)
            if not is_boolean(first.type) or not is_of_the_turn(some, site):
                return None
            return _kept(replace(node, condition=second), Code(list_of_the_turn(some, site)), site)
        case _:
            return None


def _of_one_group(node: Filter, site: Site) -> Code | None:
    """Rows of the workbook that have a value in a field: parted by it once and for all."""
    match node:
        case Filter(
            of=EachName(vocabulary=each),
            item=item,
            condition=Comparison(
                operator="=", left=Stored(of=Local(slot=read), record=record, name=name) as left, right=value
            ),
        ) if read == item and _parts(left, item, value, site):
            attribute = site.ground.attributes[record][name]
            rows = site.ground.eachs[each]
            text = f"{site.uses('grouped')}({rows}, {attribute!r})"
            groups = site.function.module.group(f"{rows} by {attribute}", text)
            return Code(f"{groups}.get({site.code(value).whole}, [])")
        case _:
            return None


def _parts(field: Stored, item: Slot, value: Expression, site: Site) -> bool:
    """Does the value of a row's own field distinguish rows in Python as well?"""
    if may_be_null(field.of.type) or not isinstance(plain(field.type), (TextType, VocabularyType)):
        return False
    steady = item not in site.ground.lowered.reads(value)
    return steady and equal_in_python(field.type, value.type) and not may_fail(value, site.ground)


def _kept(node: Filter, source: Code, site: Site) -> Code:
    before, here = hoisted(node.condition, site)
    name, inside = here.bind(node.item)
    condition = truth(node.condition, inside)
    return Code(f"[{name}{before} for {name} in {source.within(Level.OR)} if {condition.within(Level.OR)}]")


def select(node: Select, site: Site) -> Code:
    of = site.code(node.of)
    name, inside = site.bind(node.item)
    body = inside.code(node.condition).whole
    place = site.place(node.where)
    return Code(f"{site.uses('select')}({of.whole}, lambda {name}: {body}, {place})")


def item_entry(node: ItemEntry, site: Site) -> Code:
    item = site.function.variables[node.item]
    otherwise = site.code(node.otherwise).whole
    name = site.uses("item_entry")
    return Code(f"{name}({site.turn}, {item.whole}, {node.name!r}, lambda: {otherwise})")


# -- loops -------------------------------------------------------------------------------------


def loop(node: For, site: Site) -> Code:
    if node.partial is not None:
        return _loop_with_partial(node, site)
    parts = parts_of(node, site)
    if parts is not None:
        return Code(f"[{', '.join(part.whole for part in parts)}]")
    before, here = hoisted(node.result, site)
    heads, inside = _heads(node, here)
    return Code(f"[{inside.code(node.result).whole}{before}{heads}]")


def parts_of(node: For, site: Site) -> list[Code] | None:
    """The items one by one, where the loop is better written out."""
    if len(node.bindings) != 1 or node.bindings[0].end is not None or node.partial is not None:
        return None
    before, here = hoisted(node.result, site)
    (binding,) = node.bindings
    variable = site.ground.lowered.variables[binding.slot]
    return None if before else written_out(variable, binding.source, node.result, here)


def _heads(node: For | Quantified, site: Site) -> tuple[str, Site]:
    """Loops within loops count their rounds together."""
    rounds = site.fresh("rounds") if len(node.bindings) > 1 else ""
    text = f" for {rounds} in {_rounds(node, site)}" if rounds else ""
    for binding in node.bindings:
        source = _source(node, binding, site.in_iterable())
        name, site = site.bind(binding.slot)
        counted = rounds and binding is node.bindings[-1]
        text += f" for {name} in {f'{rounds}({source.whole})' if counted else source.within(Level.OR)}"
    return text, site


def _rounds(node: Node, site: Site) -> str:
    return f"{site.uses('rounds')}({site.place(node.where)})"


def _source(node: For | Quantified, binding: p.Binding, site: Site) -> Code:
    if binding.end is None:
        return items(binding.source, node, site)
    low, high = site.code(binding.source), site.code(binding.end)
    return Code(f"{site.uses('counting')}({low.whole}, {high.whole}, {site.place(node.where)})")


def _loop_with_partial(node: For, site: Site) -> Code:
    """A local function that appends: the list so far is read while it grows."""
    assert node.partial is not None
    helper, handed = site.function.names.new("collect"), free_inner(node, site)
    so_far, here = replace(site, binding=NamingStyle.WALRUS).bind(node.partial)
    lines, depth = [f"def {helper}({', '.join(site.function.variables[v.number].text for v in handed)}):"], 1
    lines += indented([f"{so_far} = []"], depth)
    for binding in node.bindings:
        source = _source(node, binding, here)
        name, here = here.bind(binding.slot)
        lines += indented([f"for {name} in {source.whole}:"], depth)
        depth += 1
    result = f"{here.uses('limit')}({here.code(node.result).whole}, {here.place(node.where)})"
    lines += indented([f"{so_far} = [*{so_far}, {result}]"], depth)
    lines += indented([f"return {so_far}"])
    site.function.prelude += lines
    return Code(f"{helper}({', '.join(site.function.variables[v.number].text for v in handed)})")


def free_inner(node: Node, site: Site) -> tuple[Variable, ...]:
    """Variables that expressions around the node have bound and that it reads."""
    read = {n.slot for n in nodes(node) if isinstance(n, Local)}
    read |= {n.item for n in nodes(node) if isinstance(n, ItemEntry)}
    return tuple(v for v in site.inner if v.number in read)


def quantified(node: Quantified, site: Site) -> Code:
    """Where the condition is true or false, Python's `any` and `all`."""
    found = _among_all(node, site) or _all_among(node, site)
    if found is not None:
        return found
    before, here = hoisted(node.condition, site)
    heads, inside = _heads(node, here)
    heads = before + heads
    condition = inside.code(node.condition)
    if is_boolean(node.condition.type):
        return Code(f"{'any' if node.some else 'all'}({condition.whole}{heads})")
    settled = site.uses("some" if node.some else "every")
    place = site.place(node.where)
    return Code(f"{site.uses('attempt')}({place}, {settled}, ({condition.whole}{heads}))")


def _among_all(node: Quantified, site: Site) -> Code | None:
    """Does something stand in one of the lists of some items? Where it is asked of the same lists again and
    again, all that stands in them is listed once."""
    match node:
        case Quantified(
            some=True,
            bindings=(p.Binding(slot=item, source=source, end=None),),
            condition=Let(value=value, body=p.IsTrue(value=Member(list=listed))),
        ) if is_list(source) and is_list(listed) and equal_in_python(ListType(value.type), listed.type):
            pass
        case _:
            return None
    read = (free(source) | free(listed)) - {item}
    if item in free(value) or not site.function.stays(read) or may_fail(listed, site.ground):
        return None
    name, inside = site.bind(item)
    one, lists = site.fresh("one"), inside.code(listed).within(Level.OR)
    text = f"[{one} for {name} in {site.code(source).within(Level.OR)} for {one} in {lists}]"
    known = site.function.once(node, text, "among")
    return Code(f"{site.code(value).within(Level.SUM)} in {known}", Level.COMPARE)


def _all_among(node: Quantified, site: Site) -> Code | None:
    """Do some, or all, of the items stand in a list that stays the same? Python asks the list itself."""
    match node:
        case Quantified(
            bindings=(p.Binding(slot=item, source=source, end=None),),
            condition=Let(value=Local(slot=read) as value, body=p.IsTrue(value=Member(list=listed))),
        ) if read == item and is_list(source) and is_list(listed):
            pass
        case _:
            return None
    if item in free(listed) or may_fail(listed, site.ground) or isinstance(listed, MakeList):
        return None
    if not equal_in_python(ListType(value.type), listed.type):
        return None
    word = "any" if node.some else "all"
    return Code(f"{word}(map({site.code(listed).atom}.__contains__, {site.code(source).whole}))")


# -- contexts and records ----------------------------------------------------------------------


def context(node: MakeContext, site: Site) -> Code:
    """Later entries may read earlier ones."""
    read = {n.slot for n in nodes(node) if isinstance(n, Local)}
    if any(slot in read for _, slot, _ in node.entries):
        return _context_in_steps(node, site)
    parts = [f"{name!r}: {site.code(value).whole}" for name, _, value in node.entries]
    return Code(f"{{{', '.join(parts)}}}")


def _context_in_steps(node: MakeContext, site: Site) -> Code:
    """A local function with a line for each entry."""
    helper, handed = site.function.names.new("context"), free_inner(node, site)
    here = replace(site, binding=NamingStyle.WALRUS)
    lines, parts = [f"def {helper}({', '.join(site.function.variables[v.number].text for v in handed)}):"], []
    for entry, slot, part in node.entries:
        value = here.code(part)
        name, here = here.bind(slot)
        lines.append(f"    {name} = {value.whole}")
        parts.append(f"{entry!r}: {name}")
    lines.append(f"    return {{{', '.join(parts)}}}")
    site.function.prelude += lines
    return Code(f"{helper}({', '.join(site.function.variables[v.number].text for v in handed)})")


def record(node: MakeRecord, site: Site) -> Code:
    """Every stored field, by position, in the order of the record type."""
    given = dict(node.fields)
    stored = site.ground.records[node.record].stored
    values = [site.code(given[f.name]).whole if f.name in given else "None" for f in stored]
    turn = [site.turn] if site.ground.keeps_turn(node.record) else []
    return Code(f"{site.ground.classes[node.record]}({', '.join([*turn, *values])})")


def range_(node: MakeRange, site: Site) -> Code:
    name = site.value_helper("Range")
    low = site.code(node.low).whole if node.low is not None else "None"
    high = site.code(node.high).whole if node.high is not None else "None"
    ends = f"{literal(node.low_included).text}, {literal(node.high_included).text}"
    return Code(f"{name}({low}, {high}, {ends})")


# -- before a loop -----------------------------------------------------------------------------
# What a loop computes again and again though it stays the same: computed once, before the loop. Only lists
# that are built by going through others pay for it, and only where it makes no difference: nothing in them
# may fail, since a loop over nothing would never have read them. A list that depends on the turn alone is
# computed once per turn, whoever reads it.


def hoisted(part: Expression, site: Site) -> tuple[str, Site]:
    """Clauses ` for name in (list,)` that go before the loop's own, and where its part reads the names."""
    clauses = ""
    names = dict(site.hoisted)
    for node in _steady(part, site):
        if id(node) in names:
            continue
        if is_of_the_turn(node, site):
            names[id(node)] = list_of_the_turn(node, site)
        else:
            code = site.in_iterable().code(node)
            names[id(node)] = site.fresh("known")
            clauses += f" for {names[id(node)]} in ({code.whole},)"
    return clauses, replace(site, hoisted=names)


def is_of_the_turn(node: Expression, site: Site) -> bool:
    """Does it depend on the turn alone, and never fails?"""
    return not free(node) and site.ground.needs_turn(node) and not may_fail(node, site.ground)


def list_of_the_turn(node: Expression, site: Site) -> str:
    """The turn's attribute that holds the list. Lists whose code is the same share one attribute."""
    module = site.function.module
    alone = Site(Function(module, site.function.table, "turn", module.ground.names.inner()), site.emit)
    value = alone.code(node).whole
    body = tuple(indented([*alone.function.prelude, f"return {value}"]))
    if body not in module.turn_lists:
        module.turn_lists[body] = _turn_names(module).new(f"known_{_stem(node)}")
    return f"{site.turn}.{module.turn_lists[body]}"


def _turn_names(module: Module) -> Identifiers:
    return module.ground.own_names[module.ground.ruleset.input.state.name]


def _stem(node: Expression) -> str:
    """The input field or the vocabulary that it reads, if it does so itself."""
    for part in nodes(node):
        match part:
            case Input(field=name) | EachName(vocabulary=name):
                return lower_snake(name)
            case _:
                pass
    return "list"


def write_turn_lists(module: Module, state: str) -> Iterator[str]:
    functions: dict[str, str] = {}
    for body, attribute in module.turn_lists.items():
        functions[attribute] = module.ground.names.new(f"{attribute}_in_turn")
        yield from (f"def {functions[attribute]}(turn):", *body, "", "")
    if functions:
        listed = ", ".join(f"{attribute!r}: {function}" for attribute, function in functions.items())
        yield f"{module.uses('computes')}({state}, {{{listed}}})"


def _steady(part: Expression, site: Site) -> Iterator[Expression]:
    """The outermost lists that read nothing of what the loop or anything in it binds."""
    known = set(site.function.variables) | set(site.function.inlined)
    covered: set[int] = set()
    for node in nodes(part):
        if id(node) in covered or not isinstance(node, (For, Filter)):
            continue
        if free(node) <= known and not may_fail(node, site.ground):
            covered |= {id(inner) for inner in nodes(node)}
            yield node


def free(node: Node) -> set[Slot]:
    """Variables that it reads and does not bind."""
    read = {n.slot for n in nodes(node) if isinstance(n, Local)}
    return read - {slot for n in nodes(node) for slot in _bound(n)}


def _bound(node: Node) -> Iterator[Slot]:
    match node:
        case Filter(item=item) | Select(item=item):
            yield item
        case For(bindings=bindings, partial=partial):
            yield from (binding.slot for binding in bindings)
            if partial is not None:
                yield partial
        case Quantified(bindings=bindings):
            yield from (binding.slot for binding in bindings)
        case Let(slot=slot):
            yield slot
        case MakeFunction(parameters=parameters):
            yield from (slot for _, slot, _ in parameters)
        case MakeContext(entries=entries):
            yield from (slot for _, slot, _ in entries)
        case _:
            return
