"""What an archive says it is made of: its parts, of what kind each is, and the sheets its workbook lists.

The spreadsheet library passes over a sheet that it does not find. Here every sheet that is listed must be
there, and every worksheet that is there must be listed.
"""

from __future__ import annotations

import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from posixpath import basename, dirname, join, normpath
from typing import NamedTuple
from xml.etree import ElementTree

CONTENT_TYPES, TOP_LINKS = "[Content_Types].xml", "_rels/.rels"
STYLES = "xl/styles.xml"
"""Where the library looks for them, whatever the archive says."""
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_LINK_KINDS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPES = "{http://schemas.openxmlformats.org/package/2006/content-types}"
_LINKS = "{http://schemas.openxmlformats.org/package/2006/relationships}"
_SPREADSHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_WORKBOOK_TYPES = (
    f"{_SPREADSHEET}.sheet.main+xml",
    f"{_SPREADSHEET}.template.main+xml",
    "application/vnd.ms-excel.sheet.macroEnabled.main+xml",
    "application/vnd.ms-excel.template.macroEnabled.main+xml",
)
_STRINGS_TYPE = f"{_SPREADSHEET}.sharedStrings+xml"


class SheetKind(Enum):
    """The last word of its relationship, which is its outermost element too."""

    WORKSHEET = "worksheet"
    CHART = "chartsheet"
    DIALOG = "dialogsheet"

    @property
    def content(self) -> str:
        return f"{_SPREADSHEET}.{self.value}+xml"


MACRO_LINKS = ("xlMacrosheet", "xlIntlMacrosheet")
"""Of sheets with macros of Excel 4: their cells are a program."""


class Incomplete(Exception):
    """An archive without something that it says it has. The message is for people."""


class NoWorksheet(Exception):
    """A sheet of a kind that is not read. The message is for people."""


@dataclass(frozen=True, slots=True)
class SheetPart:
    """A sheet as the workbook lists it, and the part of the archive that it is."""

    name: str
    part: str
    kind: SheetKind
    hidden: bool


@dataclass(frozen=True, slots=True)
class Contents:
    """All sheets in their order, and the part with the texts that cells share. `since_1904`: days are counted
    from there."""

    sheets: tuple[SheetPart, ...]
    texts: str | None
    since_1904: bool


class _Link(NamedTuple):
    kind: str
    target: str
    external: bool


def contents_of(archive: zipfile.ZipFile) -> Contents:
    """Raises Incomplete or NoWorksheet. The XML has been looked at before."""
    names = archive.namelist()
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise Incomplete(f"{twice[0]} is in its archive twice")
    types = _content_types(archive)
    workbook = _workbook_part(archive, types)
    links = _links(archive, links_of(workbook))
    root = _tree(archive, workbook, f"{{{MAIN}}}workbook")
    sheets = tuple(_sheet(listed, links, types) for listed in _listed(root, workbook))
    _different(sheets)
    _all_listed(sheets, links, types)
    _beside_sheets(links, types)
    texts = types.having(_STRINGS_TYPE)
    settings = root.find(f"{{{MAIN}}}workbookPr")
    since_1904 = settings is not None and is_true(settings.get("date1904", ""))
    return Contents(sheets, texts[0] if texts else None, since_1904)


def is_true(text: str) -> bool:
    """Say whether an attribute's text means yes."""
    return text not in ("", "0", "f", "false")


def links_of(part: str) -> str:
    """The part that says what another one belongs together with."""
    return join(dirname(part), "_rels", f"{basename(part)}.rels")


# -- parts and their kinds ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Types:
    """`parts` are the names of all parts that are there."""

    parts: frozenset[str]
    overridden: Mapping[str, str]
    by_ending: Mapping[str, str]

    def having(self, kind: str) -> list[str]:
        return [part for part in sorted(self.parts) if self.overridden.get(part) == kind]


def _content_types(archive: zipfile.ZipFile) -> _Types:
    root = _tree(archive, CONTENT_TYPES, f"{_TYPES}Types")
    parts: dict[str, str] = {}
    endings: dict[str, str] = {}
    for entry in root:
        kind = entry.get("ContentType", "")
        match entry.tag.removeprefix(_TYPES), entry.get("PartName"), entry.get("Extension"):
            case "Override", str(part), _:
                parts[part.removeprefix("/")] = kind
            case "Default", _, str(ending):
                endings[ending.lower()] = kind
            case _:
                raise Incomplete(f"{CONTENT_TYPES} cannot be read")
    return _Types(frozenset(archive.namelist()), parts, endings)


def _workbook_part(archive: zipfile.ZipFile, types: _Types) -> str:
    named = [part for part, kind in types.overridden.items() if kind in _WORKBOOK_TYPES]
    if not named and types.by_ending.get("xml") in _WORKBOOK_TYPES:
        named = ["xl/workbook.xml"]
    if len(named) != 1:
        raise Incomplete(f"{CONTENT_TYPES} names {'no part' if not named else 'two parts'} as its workbook")
    _is_there(named[0], types)
    if TOP_LINKS in types.parts:
        tops = [link for link in _links(archive, TOP_LINKS).values() if link.kind == "officeDocument"]
        if any(link.target != named[0] for link in tops):
            raise Incomplete(f"{TOP_LINKS} and {CONTENT_TYPES} name different parts as its workbook")
    return named[0]


def _is_there(part: str, types: _Types) -> None:
    if part not in types.parts:
        raise Incomplete(f"{part} is missing")
    if not part.endswith(".xml"):
        raise Incomplete(f"{part} should be a part of XML")


def _links(archive: zipfile.ZipFile, part: str) -> Mapping[str, _Link]:
    """By their names. Targets are made names of parts."""
    found: dict[str, _Link] = {}
    folder = dirname(dirname(part))
    for link in _tree(archive, part, f"{_LINKS}Relationships"):
        name, kind, target = link.get("Id"), link.get("Type"), link.get("Target")
        if name is None or kind is None or target is None or name in found:
            raise Incomplete(f"{part} cannot be read")
        external = link.get("TargetMode") == "External"
        if not external:
            target = normpath(join("/", folder, target)).lstrip("/")
        found[name] = _Link(kind.rpartition("/")[2], target, external)
    return found


def _tree(archive: zipfile.ZipFile, part: str, root: str) -> ElementTree.Element:
    try:
        tree = ElementTree.fromstring(archive.read(part))
    except KeyError:
        raise Incomplete(f"{part} is missing") from None
    except ElementTree.ParseError:
        raise Incomplete(f"{part} cannot be read") from None
    if tree.tag != root:
        raise Incomplete(f"{part} cannot be read")
    return tree


# -- sheets ------------------------------------------------------------------------------------


class _Listed(NamedTuple):
    name: str
    link: str | None
    hidden: bool


def _listed(root: ElementTree.Element, workbook: str) -> Iterator[_Listed]:
    lists = root.findall(f"{{{MAIN}}}sheets")
    sheets = [sheet for list_ in lists for sheet in list_]
    if len(lists) != 1 or not sheets or any(sheet.tag != f"{{{MAIN}}}sheet" for sheet in sheets):
        raise Incomplete(f"the list of sheets in {workbook} cannot be read")
    for sheet in sheets:
        name = sheet.get("name")
        if not name:
            raise Incomplete(f"a sheet in {workbook} has no name")
        yield _Listed(name, sheet.get(f"{{{_LINK_KINDS}}}id"), sheet.get("state", "visible") != "visible")


def _sheet(listed: _Listed, links: Mapping[str, _Link], types: _Types) -> SheetPart:
    name, link_name, hidden = listed
    link = links.get(link_name or "")
    if link is None:
        raise Incomplete(f"the sheet `{name}` is listed, and no part of the file belongs to it")
    if link.kind in MACRO_LINKS:
        raise NoWorksheet(f"the sheet `{name}` holds macros of Excel 4, and only worksheets are read")
    if link.external:
        raise NoWorksheet(f"the sheet `{name}` is in another file, `{link.target}`, which is not read")
    if link.target not in types.parts:
        raise Incomplete(f"the sheet `{name}` is missing: there is no {link.target}")
    kind = next((kind for kind in SheetKind if kind.value == link.kind), None)
    if kind is None or types.overridden.get(link.target, kind.content) != kind.content:
        raise Incomplete(f"the sheet `{name}`, {link.target}, is said to be no worksheet")
    _is_there(link.target, types)
    return SheetPart(name, link.target, kind, hidden)


def _different(sheets: tuple[SheetPart, ...]) -> None:
    names: dict[str, SheetPart] = {}
    parts: dict[str, SheetPart] = {}
    for sheet in sheets:
        other = names.setdefault(sheet.name.casefold(), sheet)
        if other is not sheet:
            raise Incomplete(f"two sheets are called `{sheet.name}`")
        other = parts.setdefault(sheet.part, sheet)
        if other is not sheet:
            raise Incomplete(f"the sheets `{other.name}` and `{sheet.name}` are the same part, {sheet.part}")


def _all_listed(sheets: tuple[SheetPart, ...], links: Mapping[str, _Link], types: _Types) -> None:
    listed = {sheet.part for sheet in sheets}
    linked = [link.target for link in links.values() if link.kind == SheetKind.WORKSHEET.value]
    for part in (*types.having(SheetKind.WORKSHEET.content), *linked):
        if part not in listed:
            raise Incomplete(f"{part} is a worksheet, and the workbook does not list it")


def _beside_sheets(links: Mapping[str, _Link], types: _Types) -> None:
    """What cells look things up in: texts and formats. The library goes by the types of content here."""
    linked: dict[str, list[str]] = {"sharedStrings": [], "styles": []}
    for link in links.values():
        if link.kind in linked:
            _is_there(link.target, types)
            linked[link.kind].append(link.target)
    if linked["sharedStrings"] != types.having(_STRINGS_TYPE):
        raise Incomplete("its parts do not agree about where its texts are")
    if linked["styles"] not in ([], [STYLES]):
        raise Incomplete(f"its formats are in {linked['styles'][0]}, and are read from {STYLES}")
