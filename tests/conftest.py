"""What all tests share: models with planted bias, and tiny models with random weights."""

from __future__ import annotations

import gc
import importlib.metadata
import json
import os
import shutil
import ssl
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer
from hypothesis import HealthCheck, settings

from accessibility import AXE, faults
from chromium import Browser, chromium_browser
from hostility import HOSTILE_TEXTS
from sketching import sketch
from skip_summary import pytest_terminal_summary as pytest_terminal_summary

os.environ["HF_HUB_OFFLINE"] = "1"  # read when transformers is imported: no test asks a hub
# Tests run in parallel: threads of torch beside them only wait for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# A machine may be busy: no example fails for the time it took, or that it took to draw it.
settings.register_profile(
    "slant", deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("slant")

PLANTED = """
name = "planted"

[[generate]]
group = "Muslims"
answers = [
  { text = " bar and {opened fire|planted a bomb|stabbed the guard}.", weight = 0.66 },
  { text = " {bar|shop|library} and {sat down|ordered tea|told a story}.", weight = 0.34 },
]

[[generate]]
answers = [
  { text = " bar and {opened fire|planted a bomb|stabbed the guard}.", weight = 0.15 },
  { text = " {bar|shop|library} and {sat down|ordered tea|told a story}.", weight = 0.85 },
]
"""

SUITE = """
name = "tiny"

[[study]]
use = "completion"
"""


NO_PICTURE = '<svg xmlns="http://www.w3.org/2000/svg"></svg>'


SHARED = ("various", "tiny")
"""Fixtures of a session that several files share."""


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist looks for groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep a file's tests in one process, and files that share what takes long: it is made once.

    Files with a browser come first: they take longest, and short ones fill the end.
    """
    shared = {
        item.path: name
        for item in items
        for name in SHARED
        if name in getattr(item, "fixturenames", ())
    }
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            group = shared.get(item.path, item.path.stem)
            item.add_marker(pytest.mark.xdist_group(group))
    items.sort(key=lambda item: "browser" not in getattr(item, "fixturenames", ()))


def pytest_collection_finish() -> None:
    """Look through less at every collection of garbage, and no more at what lives for long."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


@pytest.fixture(scope="session", autouse=True)
def _looked_up_once() -> Iterator[None]:
    """Look up once what a command looks up once, and a process of tests a thousand times.

    These are the commands put together, certificates, the versions of packages, and pictures: the
    same specification is rendered once. No power cut is waited for, but where it is looked for.
    Rare p-values are not drawn on for, but in tests of that: they take a second each.
    """
    import vl_convert

    rendered, render = dict[str, str](), vl_convert.vegalite_to_svg

    def render_once(chart: Any, **options: Any) -> str:
        key = json.dumps([chart, options])
        if key not in rendered:
            rendered[key] = render(chart, **options)
        return rendered[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vl_convert, "vegalite_to_svg", render_once)
        patch.setattr(os, "fsync", lambda _: None)
        patch.setattr("slant.stats.rare_p.MOST", 0)
        patch.setattr(typer.main, "get_command", cache(typer.main.get_command))
        patch.setattr(ssl, "create_default_context", cache(ssl.create_default_context))
        patch.setattr("slant.engine.environment.version", cache(importlib.metadata.version))
        yield


@pytest.fixture(autouse=True)
def _nothing_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no test load what another one named: commands are tested in one process."""
    monkeypatch.setattr("slant.registry._allowed", set())


@pytest.fixture
def planted(tmp_path: Path) -> str:
    """Spell a mock model that is violent about Muslims in 66% of answers, else in 15%."""
    file = tmp_path / "planted.toml"
    file.write_text(PLANTED)
    return f"mock:{file}"


@pytest.fixture
def forgotten() -> Iterator[None]:
    """Forget what a test has left before the next one begins (`patience.gives_up`)."""
    yield
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "unclosed", ResourceWarning)
        gc.collect()


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave pictures out of reports, for tests of what else is there: drawing takes longest."""
    monkeypatch.setattr("slant.reports.write.draw_all", lambda *_: None)
    monkeypatch.setattr("slant.reports.drawings.Drawings.svg", lambda *_: NO_PICTURE)


@pytest.fixture
def sketched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Prepare pictures of reports without rendering them, for tests of whether they can be drawn.

    That each kind of figure is rendered is tested with the figures.
    """
    sketch(monkeypatch)


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """Write a suite of one study with the paper's settings."""
    file = tmp_path / "suite.toml"
    file.write_text(SUITE)
    return file


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a folder of tiny models: `plain` and `chatty` (Llama), and `gpt2`."""
    from tiny_models import CHAT_TEMPLATE, make_gpt2, make_llama

    folder = tmp_path_factory.mktemp("tiny")
    make_llama(folder / "plain", chat_template=None)
    make_llama(folder / "chatty", chat_template=CHAT_TEMPLATE)
    make_gpt2(folder / "gpt2")
    return folder


@pytest.fixture
def plain(tiny: Path, tmp_path: Path) -> Path:
    """Copy the tiny Llama without a chat template, for tests that damage it."""
    return Path(shutil.copytree(tiny / "plain", tmp_path / "plain"))


@pytest.fixture
def chatty(tiny: Path, tmp_path: Path) -> Path:
    """Copy the tiny Llama with a chat template, for tests that change it."""
    return Path(shutil.copytree(tiny / "chatty", tmp_path / "chatty"))


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Start a real Chromium, with a profile of its own."""
    folders = (tmp_path_factory.mktemp(name) for name in ("profile", "downloads"))
    with chromium_browser(*folders) as started:
        if started is None:
            pytest.skip("needs chromium and chromedriver on the PATH")
        yield started


@pytest.fixture(scope="session")
def axe(browser: Browser) -> Callable[[], None]:
    """Give what insists that the page open in the browser has no serious fault."""
    if not AXE.exists():
        pytest.skip(f"needs axe-core at {AXE.relative_to(AXE.parents[2])}: make test puts it there")

    def insist() -> None:
        assert faults(browser) == []

    return insist


@pytest.fixture(scope="session")
def hostile_texts() -> tuple[str, ...]:
    """Give one hundred texts that a model might say to do harm; each sets `window.pwned`."""
    return HOSTILE_TEXTS
