from __future__ import annotations

import importlib.util
from pathlib import Path

import slant

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_says_what_the_docstrings_say() -> None:
    spec = importlib.util.spec_from_file_location("page", DOCS / "write_python_page.py")
    assert spec is not None
    assert spec.loader is not None
    writer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(writer)
    written = (DOCS / "python.md").read_text(encoding="utf-8")
    assert written == writer.page(), "python docs/write_python_page.py"
    for name in set(slant.__all__) - {"__version__"}:
        assert f"`slant.{name}`" in written
