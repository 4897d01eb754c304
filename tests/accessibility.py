"""Axe in a browser: what keeps people from using a page, by WCAG 2.0, 2.1 and 2.2, A and AA."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from chromium import Browser

AXE = Path(__file__).parents[1] / ".venv/axe/axe.min.js"
"""axe-core 4.14.1, an npm package, where the Makefile puts it."""

_RUN = """
const done = arguments[arguments.length - 1];
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"];
axe.run(document, { runOnly: { type: "tag", values: tags }, resultTypes: ["violations"] })
  .then((found) => done(found.violations), (error) => done([{ impact: "critical",
    id: String(error), help: "axe itself failed", nodes: [] }]));
"""


def faults(browser: Browser) -> list[str]:
    """Give the serious and critical violations on the page that is open, one line each."""
    browser.run(AXE.read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = browser.driver.execute_async_script(_RUN)
    return [
        f"{each['impact']}: {each['id']} ({each['help']}): {_places(each['nodes'])}"
        for each in found
        if each["impact"] in ("serious", "critical")
    ]


def _places(nodes: list[dict[str, Any]]) -> str:
    shown = [f"{node['target']} {node['html'][:160]}" for node in nodes[:4]]
    return "; ".join(shown) + ("" if len(nodes) <= 4 else f" and {len(nodes) - 4} more")
