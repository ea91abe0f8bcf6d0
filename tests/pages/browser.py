"""A page in a phone-sized browser, and what came of it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path
from typing import Any

from tests.support.missing import missing

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
PHONE = 320
"""Points. A headless window is never as narrow, so the page is made so."""
WATCH = """<style>html { width: 320px; }</style><script>
window.problems = [];
window.addEventListener("error", (event) => window.problems.push(event.message));
for (const kind of ["error", "warn"]) console[kind] = (...all) => window.problems.push(all.join(" "));
</script>"""
SCRIPT = """<script>
window.addEventListener("load", () => { window.result = (() => { %s })(); });
</script>"""
REPORT = """<script>
window.addEventListener("load", () => {
  const seen = {steps: []};
  const look = (name) => seen.steps.push({
    name,
    right: Math.max(...[...document.querySelectorAll("body *")]
      .filter((part) => part.getClientRects().length && !part.closest(".scroll > *, nav > *, #seen")
        && !part.matches("a"))
      .map((part) => part.getBoundingClientRect().right)),
    cells: [...document.querySelectorAll("td")].filter((cell) => cell.offsetParent).length,
  });
  look("");
  for (const button of document.querySelectorAll("button")) { button.click(); look(button.textContent); }
  const box = (part) => part.getBoundingClientRect();
  seen.small = [...document.querySelectorAll("button, nav a, a.pointer, a.term")]
    .filter((part) => part.getClientRects().length)
    .filter((part) => box(part).height < 44 || box(part).width < (part.matches("a.term") ? 24 : 44))
    .map((part) => part.textContent);
  seen.dark = matchMedia("(prefers-color-scheme: dark)").matches;
  seen.paper = getComputedStyle(document.body).backgroundColor;
  seen.ink = getComputedStyle(document.body).color;
  seen.problems = window.problems;
  seen.requests = performance.getEntriesByType("resource").map((entry) => entry.name);
  seen.hash = location.hash;
  seen.result = window.result;
  const out = document.createElement("pre");
  out.id = "seen";
  out.textContent = JSON.stringify(seen);
  document.body.append(out);
});
</script>"""


def seen_in_browser(page: str, folder: Path, scheme: str, script: str = "") -> dict[str, Any]:
    """`scheme` is light or dark. The page is as wide as a small phone. `result` is what the script returns,
    which is run first."""
    if CHROMIUM is None:
        missing("no Chromium here to look at pages with")
    file = folder / "page.html"
    file.write_text(
        page.replace("<head>", "<head>" + WATCH, 1).replace("</body>", SCRIPT % script + REPORT + "</body>")
    )
    command = [
        CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--window-size=500,844", "--dump-dom",
        f"--user-data-dir={folder / 'profile'}",
        f"--blink-settings=preferredColorScheme={0 if scheme == 'dark' else 1}", file.as_uri(),
    ]  # fmt: skip
    run = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    found = re.search(r'<pre id="seen">(.*?)</pre>', run.stdout, re.DOTALL)
    assert found, run.stderr[-2000:]
    seen: dict[str, Any] = json.loads(unescape(found.group(1)))
    return seen
