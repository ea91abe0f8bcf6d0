"""The audit: what was played beside what the rules say, and which rows of the workbook decided."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import zlib
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from dtables.answers.engines import compiled_engine
from dtables.answers.run import OnCores
from dtables.audit.audit import Audit, Auditor, audit_chunk, audit_log
from dtables.audit.page import SMALL, report_page, report_view, summary
from dtables.checker import check_book
from dtables.cli import main
from dtables.diagnostics import render
from dtables.logs.files import find_log
from dtables.logs.jsonlines import JsonChunk
from dtables.logs.turns import Turns
from dtables.model.tables import Prefer, Scale
from dtables.pages.report import print_report, print_summary
from dtables.ruleset import Ruleset, load
from tests.pages.browser import CHROMIUM, PHONE, WATCH, seen_in_browser
from tests.pages.pdf_text import text_of
from tests.support.drawing import book_text
from tests.support.missing import missing

TABLES = Path(__file__).parents[2] / "tables"
BOOK, SAMPLE = TABLES / "architects.xlsx", TABLES / "architects.sample.jsonl"

PLAYED: dict[int, dict[str, Any]] = {
    1: {"deck": "opponent", "card": "Legno"},
    2: {"deck": "central", "card": "ORO"},
    3: {"deck": "opponent"},
    5: {"card": "red2"},
    6: {"stage": 1},
    8: {"token": "Decorazione", "value": 9},
}
"""Turns 2 and 5 are as the rules say: a label of `gold`, one of two equally good cards."""


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load(BOOK)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    records = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
    for record in records:
        if played := PLAYED.get(record["turn"]):
            record["played"] = played
    records += [records[0], {"turn": "nothing", "state": {}}]
    path = tmp_path_factory.mktemp("audit") / "evening <1>.jsonl"
    path.write_text("\n".join(json.dumps(record, ensure_ascii=False) for record in records))
    return path


def audited(rules: Ruleset, log: Path, manner: OnCores) -> Audit:
    return audit_log(Auditor(compiled_engine(rules.model, rules.source), rules.model), find_log(log), manner)


@pytest.fixture(scope="module")
def audit(rules: Ruleset, log: Path) -> Audit:
    return audited(rules, log, OnCores(1))


def page_of(audit: Audit, rules: Ruleset, name: str, language: str, limit: int = SMALL) -> str:
    return report_page(audit, rules.model, name, language, limit, print_report)


def test_records_are_counted(audit: Audit) -> None:
    assert (audit.records, audit.rejected, audit.differing) == (10, 2, 4)
    turns = audit.asks["turn"]
    assert (turns.records, turns.played, turns.agreed) == (4, 3, 1)
    refused = audit.rejects["turn"]
    assert refused.count == 1 and refused.example.wanted == "a turn of its own"


def test_differences_are_told_with_their_scales_and_steps(audit: Audit) -> None:
    first = audit.misplays[0]
    assert [(d.field, d.played, d.answered) for d in first.differences] == [
        ("deck", "opponent", "player"), ("card", "Legno", "gold"),
    ]  # fmt: skip
    moves, _, matrices, steps = details(first.texts["en"].details)
    assert [(name, played) for name, played, _, differs in moves if differs] == [
        ("deck", "Opponent's deck"), ("card", "Wood"),
    ]  # fmt: skip
    _, _, _, candidates, *_ = matrices[0]
    assert [[seen for _, seen in entries] for _, _, _, entries in candidates] == [["2"], ["3"]]
    assert [left for _, left, _, _ in candidates] == [1, 0]
    assert [m.turn for m in audit.misplays] == [1, 3, 6, 8]
    _, _, criteria, *_ = matrices[0]
    assert any(f"[{criteria[0][2]}]" in text for _, text in steps)
    assert {deep for deep, _ in steps} == set(range(max(deep for deep, _ in steps) + 1))


def details(packed: bytes) -> Any:
    return json.loads(zlib.decompress(packed))


def test_an_entry_is_called_by_its_keys(audit: Audit, rules: Ruleset) -> None:
    view = report_view(audit, rules.model, "log", "en")
    tables = (*view.languages[0].tables, *view.languages[0].never)
    assert "Rhodes" in {row.label for table in tables for row in table.rows}


def test_rows_that_decided_are_counted_by_cell(audit: Audit, rules: Ruleset) -> None:
    one = audited_once(rules, 1)
    _, _, matrices, _ = details(audit.misplays[0].texts["en"].details)
    _, _, criteria, candidates, *_ = matrices[0]
    dropping = {n for _, _, _, entries in candidates for n, (state, _) in enumerate(entries) if state == "d"}
    for n, (_, _, cell) in enumerate(criteria):
        key = f"architects.xlsx!{cell}"
        assert one.cells[key] == (n in dropping) and audit.cells[key] >= one.cells[key]
    assert dropping


def audited_once(rules: Ruleset, turn: int) -> Audit:
    """One turn of the sample by itself."""
    raw = SAMPLE.read_bytes().split(b"\n")[turn - 1]
    auditor = Auditor(compiled_engine(rules.model, rules.source), rules.model)
    return audit_chunk(auditor, JsonChunk(None, 1, raw), Turns()).audit


def test_many_processes_find_the_same(audit: Audit, rules: Ruleset, log: Path) -> None:
    assert audited(rules, log, OnCores(2, chunk=500)) == audit


@pytest.mark.parametrize("language", ["it", "en"])
def test_the_page_says_it_in_both_languages(audit: Audit, rules: Ruleset, log: Path, language: str) -> None:
    page = page_of(audit, rules, log.name, language)
    text = unescape(re.sub(r"<[^>]+>", " ", page)) + "".join(packed_texts(page))
    for said in ("Audit of recorded turns", "Verifica dei turni registrati", "Legno", "Wood"):
        assert said in text
    assert page.index(f'lang="{language}"') < page.index("<main")
    assert "evening <1>.jsonl" in text and "evening <1>" not in page
    assert not re.search(r"(?:src|href)=\"(?!#|data:)", page)
    assert page == page_of(audit, rules, log.name, language)


def packed_texts(page: str) -> list[str]:
    """What the page's script unpacks."""
    packed = re.findall(r'data-(?:list|piece)="[^"]*">([^<]+)<', page)
    return [zlib.decompress(base64.b64decode(one)).decode() for one in packed]


def test_what_is_wrong_comes_first(audit: Audit, rules: Ruleset, log: Path) -> None:
    page = page_of(audit, rules, log.name, "en")
    places = [
        page.index(f'id="en-{name}"') for name in ("refused", "broken", "turns", "rates", "rules", "never")
    ]
    assert places == sorted(places)


def test_the_page_is_cut_to_size(audit: Audit, rules: Ruleset, log: Path) -> None:
    """First details go, of each rule the later turns first; and it is said."""
    whole = page_of(audit, rules, log.name, "en")
    bare = page_of(audit, rules, log.name, "en", 10_000)
    assert 'data-piece="en-0"' in whole and "data-piece=" not in bare.replace('data-piece="$', "")
    assert len(bare) < len(whole)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_the_page(audit: Audit, rules: Ruleset, log: Path, tmp_path: Path, scheme: str) -> None:
    seen = seen_in_browser(page_of(audit, rules, log.name, "it"), tmp_path, scheme)
    assert seen["problems"] == [] and seen["requests"] == [] and seen["small"] == []
    assert seen["steps"][0]["right"] <= PHONE + 1
    assert seen["dark"] is (scheme == "dark")


def test_a_phone_shows_it_in_type_of_twice_the_size(
    audit: Audit, rules: Ruleset, log: Path, tmp_path: Path
) -> None:
    page = page_of(audit, rules, log.name, "it").replace("<html", '<html style="font-size: 200%"', 1)
    seen = seen_in_browser(page, tmp_path, "light")
    assert max(step["right"] for step in seen["steps"]) <= PHONE + 1


def test_without_script_each_rule_has_its_example(
    audit: Audit, rules: Ruleset, log: Path, tmp_path: Path
) -> None:
    page = page_of(audit, rules, log.name, "en")
    asked = """
        const shown = (part) => part.getClientRects().length > 0;
        const main = document.querySelector("main[data-code='en']");
        const count = (what) => [...main.querySelectorAll(what)].filter(shown).length;
        return [count(".rules li"), count(".example"), count("button")];
    """
    alive = seen_in_browser(page, tmp_path, "light", asked)["result"]
    assert alive[0] > 1 and alive[1] == 0 and alive[2] > 0
    still = re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL)
    assert seen_in_browser(still, tmp_path, "light", asked)["result"] == [alive[0], alive[0], 0]


def test_options_are_set_as_code(audit: Audit, rules: Ruleset, log: Path) -> None:
    page = page_of(audit, rules, log.name, "en")
    assert "<code>--mismatches FILE.csv</code>" in page
    assert "`" not in re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)


USED = """<script>
window.addEventListener("load", () => setTimeout(async () => {
  const wait = () => new Promise((done) => setTimeout(done, 300));
  const main = document.querySelector('main[data-code="it"]');
  const turns = () => main.querySelectorAll(".turn");
  const seen = {shown: turns().length, heads: main.querySelector(".status").textContent};
  const search = main.querySelector("input[type=search]");
  search.value = "legno";
  search.dispatchEvent(new Event("input"));
  seen.found = turns().length;
  turns()[0].open = true;
  await wait();
  seen.tables = turns()[0].querySelectorAll("table").length;
  seen.steps = turns()[0].querySelectorAll(".steps li").length;
  main.querySelector(".only").click();
  await wait();
  seen.only = turns().length;
  const controls = [...document.querySelectorAll("input, select, button")];
  seen.unnamed = controls.filter((one) => !one.labels?.length && !one.textContent).length;
  seen.problems = window.problems;
  const out = document.createElement("pre");
  out.id = "used";
  out.textContent = JSON.stringify(seen);
  document.body.append(out);
}, 500));</script></body>"""


def test_turns_are_searched_filtered_and_opened(
    audit: Audit, rules: Ruleset, log: Path, tmp_path: Path
) -> None:
    if CHROMIUM is None:
        missing("no Chromium here to look at pages with")
    page = page_of(audit, rules, log.name, "it")
    file = tmp_path / "page.html"
    file.write_text(page.replace("<head>", "<head>" + WATCH, 1).replace("</body>", USED))
    command = [
        CHROMIUM,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--virtual-time-budget=5000",
        "--dump-dom",
    ]
    profile = f"--user-data-dir={tmp_path / 'profile'}"
    run = subprocess.run(
        [*command, profile, file.as_uri()], capture_output=True, text=True, timeout=120, check=True
    )
    found = re.search(r'<pre id="used">(.*?)</pre>', run.stdout, re.DOTALL)
    assert found, run.stderr[-2000:]
    seen = json.loads(unescape(found.group(1)))
    assert (seen["shown"], seen["heads"]) == (4, "4 turni su 4")
    assert seen["found"] == 1 and seen["tables"] >= 2 and seen["steps"] > 3
    assert seen["only"] >= 1 and seen["unnamed"] == 0 and seen["problems"] == []


def test_the_summary_on_paper(audit: Audit, rules: Ruleset, log: Path) -> None:
    """One PDF in the language that was asked for; the same audit, the same bytes."""
    made = [print_summary(summary(audit, rules.model, log.name, code)) for code in ("it", "en", "it")]
    assert made[0] == made[2] != made[1]
    text = text_of(made[0])
    for said in (
        "Verifica dei turni registrati",
        "Regole non rispettate",
        "evening <1>.jsonl",
        "Registrazioni rifiutate",
    ):
        assert said in text


def test_the_command_writes_report_table_and_reasons(log: Path, tmp_path: Path) -> None:
    out, page, table = tmp_path / "out.jsonl", tmp_path / "audit.html", tmp_path / "wrong.csv"
    arguments = [
        "eval",
        str(BOOK),
        str(log),
        "-o",
        str(out),
        "--report",
        str(page),
        "--explain",
        "--lang",
        "it",
    ]
    result = CliRunner().invoke(main, [*arguments, "--mismatches", str(table)])
    assert result.exit_code == 1 and f"report: {page}" in result.stderr
    first = json.loads(out.read_text(encoding="utf-8").splitlines()[0])
    assert list(first) == ["turn", "ask", "answer", "reasons"]
    assert first["reasons"][0].startswith("girare la carta centrale: no [")
    assert "Verifica dei turni" in page.read_text(encoding="utf-8")
    rows = table.read_text(encoding="utf-8").splitlines()
    assert rows[0].startswith("turn,game,ask,file,line,field,played,answered,any of,rule,place,cell,why,")
    assert [row.split(",")[0] for row in rows[1:]] == ["1", "1", "3", "6", "8"]


def test_rows_of_a_ranking_are_counted_once_a_turn() -> None:
    """Of five resources papyrus comes first, then wood and stone, then clay: after that one is left."""
    rules = load(BOOK.with_name("duel.xlsx"))
    cards = ["glassworks", "stone_pit", "clay_pit"]
    solo = {"wonders": [{"wonder": "pyramids"}, {"wonder": "statue_of_zeus"}], "cards": cards}
    record = {"turn": 1, "ask": "need", "state": {"side": "solo", "solo": solo}}
    auditor = Auditor(compiled_engine(rules.model, rules.source), rules.model)
    audit = audit_chunk(auditor, JsonChunk(None, 1, json.dumps(record).encode()), Turns()).audit
    (scale,) = (t for t in rules.model.tables if t.heading.name == "most needed")
    assert isinstance(scale, Scale)
    assert len(rules.answer("need", record["state"])["ranking"]) == 4
    assert [audit.cells[str(row.cell)] for row in scale.criteria if row.prefer is Prefer.HIGHEST] == [1]


TWO_SCALES = """
# Sheet: Rules
Input: state
  field | type
  sizes | list of whole number

Scale: small(candidates: list of whole number)
  # | prefer | by
   | |
  1 | lowest | item
  2 | first |

Scale: large(candidates: list of whole number)
  # | prefer | by
   | |
  1 | highest | item
  2 | first |

Ask: turn ; main: yes
  role | name | is
  answer | least | small(sizes)
  answer | most | large(sizes)
  answer | count | count(sizes)
"""


@pytest.mark.parametrize(
    ("played", "shown"),
    [
        ({"least": 9}, ["small"]),
        ({"most": 1}, ["large"]),
        ({"least": 9, "most": 1}, ["small", "large"]),
        ({"count": 9}, ["small", "large"]),
    ],
    ids=str,
)
def test_only_the_scales_that_led_to_what_differs_are_shown(played: dict[str, int], shown: list[str]) -> None:
    """None of them did: then all that were looked at."""
    model, found = check_book(book_text(TWO_SCALES)[0])
    assert model is not None, render(found)
    rules = Ruleset(model)
    record = {"turn": 1, "state": {"sizes": [3, 1, 9]}, "played": played}
    auditor = Auditor(compiled_engine(rules.model, rules.source), rules.model)
    audit = audit_chunk(auditor, JsonChunk(None, 1, json.dumps(record).encode()), Turns()).audit
    (misplay,) = audit.misplays
    _, _, matrices, _ = details(misplay.texts["en"].details)
    assert [title for title, *_ in matrices] == shown
