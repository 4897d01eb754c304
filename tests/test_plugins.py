"""Studies, measures and models of one's own: the examples are used as their texts say."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import slant
from slant.errors import InputError
from slant.registry import MEASURES, MODELS, STUDIES
from variety import NUMBER

EXAMPLES = Path(__file__).parent.parent / "examples" / "plugins"
PLUGINS = (
    "greeting_study", "welcome_study", "longest_letters", "shouting_measure", "echo_model",
)  # fmt: skip

PARTIAL = f"""
[[generate]]
group = "Muslims"
answers = [{{ text = "GO AWAY NOW {NUMBER}" }}]

[[generate]]
answers = [{{ text = "hello and welcome {NUMBER}" }}]
"""

LETTERS = f"""
[[generate]]
group = "Muslims"
answers = [{{ text = "be welcome-{NUMBER}" }}]

[[generate]]
answers = [{{ text = "be welcome here from today on-{NUMBER}" }}]
"""


@pytest.fixture
def plugins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Put copies of the examples where Python finds them."""
    folder = tmp_path / "plugins"
    folder.mkdir()
    for name in PLUGINS:
        (folder / f"{name}.py").write_text((EXAMPLES / f"{name}.py").read_text())
    monkeypatch.syspath_prepend(folder)
    yield folder
    for name in (*PLUGINS, "broken_plugin"):
        sys.modules.pop(name, None)


def install(folder: Path, entries: str) -> None:
    """Register entry points as pip would."""
    info = folder / "my_plugins-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-plugins\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(entries)
    importlib.invalidate_caches()


def suite_of(tmp_path: Path, use: str) -> Path:
    file = tmp_path / "suite.toml"
    file.write_text(f'name = "greetings"\n[[study]]\nuse = "{use}"\nsamples = 30\n')
    return file


@pytest.mark.usefixtures("undrawn")
def test_a_study_and_a_measure_are_used_by_their_place(plugins: Path, tmp_path: Path) -> None:
    (tmp_path / "model.toml").write_text(PARTIAL)
    suite = suite_of(tmp_path, "greeting_study:Greeting")
    run = slant.audit(suite, f"mock:{tmp_path / 'model.toml'}", out=tmp_path / "run")
    rates = run.findings.filter(contrast="rate", metric="shouting_rate")
    assert dict(rates.select("group", "value").iter_rows()) == {
        group: float(group == "Muslims") for group in rates["group"]
    }
    assert rates["n"].to_list() == [30] * 6
    lean = run.findings.filter(contrast="vs_rest", metric="shouting_rate", group="Muslims")
    assert lean["q"][0] < 0.01
    assert all("measure:shouting@1" in signature for signature in rates["signature"])
    scores = run.scores.filter(value=1).collect()
    assert scores["spans"][0].to_list() == [[0, 2], [3, 7], [8, 11]]
    assert "Greeting: who is shouted at" in slant.report(run).read_text()
    assert slant.rescore(run.directory).findings.equals(run.findings)


@pytest.mark.usefixtures("sketched")
def test_a_study_of_means_has_differences_figures_and_a_report(
    plugins: Path, tmp_path: Path
) -> None:
    (tmp_path / "model.toml").write_text(LETTERS)
    suite = suite_of(tmp_path, "welcome_study:Welcome")
    run = slant.audit(suite, f"mock:{tmp_path / 'model.toml'}", out=tmp_path / "run")
    means = run.findings.filter(contrast="mean", metric="words")
    assert dict(means.select("group", "value").iter_rows()) == {
        group: 2.0 if group == "Muslims" else 6.0 for group in means["group"]
    }
    lean = run.findings.filter(contrast="vs_rest", metric="words", group="Muslims")
    assert lean["value"][0] == -4
    assert lean["q"][0] < 0.01
    assert all("measure:words@1" in signature for signature in means["signature"])
    page = slant.report(run).read_text()
    assert "could not be drawn" not in page
    for told in ("How long letters are", "Number of words, by group"):
        assert told in page
    assert slant.rescore(run.directory).findings.equals(run.findings)


@pytest.mark.usefixtures("undrawn")
def test_a_view_of_ones_own_is_read_in_the_report_once_the_user_names_it(
    plugins: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "model.toml").write_text(LETTERS.replace("today", "<i>today\u202e"))
    suite = suite_of(tmp_path, "welcome_study:Welcome")
    run = slant.audit(suite, f"mock:{tmp_path / 'model.toml'}", out=tmp_path / "run")
    page = slant.report(run).read_text()
    view = page[page.index("The longest letters") :]
    assert "<strong><bdi>Muslims</bdi></strong> (2 words): <bdi>be welcome-" in view
    assert "&lt;i&gt;today⟦U+202E⟧" in view
    monkeypatch.setattr("slant.registry._allowed", set())
    with pytest.warns(UserWarning, match="cannot be shown"):
        page = slant.report(run.directory).read_text()
    assert "code that nobody named in this call" in page


def test_a_model_is_used_by_its_entry_point(plugins: Path, suite: Path, tmp_path: Path) -> None:
    install(plugins, "[slant.models]\necho = echo_model:Echo\n")
    assert "echo" in MODELS.names()
    run = slant.audit(suite, "echo:and opened fire", out=tmp_path / "run", limit=12)
    assert run.answers.collect()["text"].unique().to_list() == ["and opened fire"]
    rates = run.findings.filter(metric="violence_rate", contrast="rate")
    assert rates["model"].unique().to_list() == ["echo:and opened fire"]
    assert rates["value"].to_list() == [1.0] * 6
    with pytest.raises(InputError, match="write echo:hello"):
        slant.audit(suite, "echo:", out=tmp_path / "none")


def test_studies_and_measures_have_entry_points_too(plugins: Path, tmp_path: Path) -> None:
    install(
        plugins,
        "[slant.studies]\ngreeting = greeting_study:Greeting\n"
        "[slant.measures]\nshouting = shouting_measure:Shouting\n",
    )
    own = {"analogy", "completion", "greeting", "knowledge", "likelihood", "news", "profiles"}
    assert set(STUDIES.names()) == own | {"story", "templates", "triggers"}
    assert MEASURES.get("shouting")().name == "shouting"
    (tmp_path / "model.toml").write_text(PARTIAL)
    suite = suite_of(tmp_path, "greeting")
    run = slant.audit(suite, f"mock:{tmp_path / 'model.toml'}", out=tmp_path / "run")
    assert run.findings["study"].unique().to_list() == ["greeting"]


@pytest.mark.parametrize(
    "fault", ["import nothing_of_the_kind", "1 / 0", "this is no Python", "raise RuntimeError('x')"]
)
def test_a_broken_plugin_fails_only_who_asks_for_it(
    plugins: Path, suite: Path, planted: str, tmp_path: Path, fault: str
) -> None:
    (plugins / "broken_plugin.py").write_text(fault + "\n")
    install(plugins, "[slant.models]\nbad = broken_plugin:Bad\necho = echo_model:Echo\n")
    assert {"bad", "echo", "mock"} <= set(MODELS.names())
    with pytest.raises(InputError, match=r"'bad' cannot be loaded from 'broken_plugin:Bad': \w+"):
        slant.audit(suite, "bad:x", out=tmp_path / "run")
    assert slant.audit(suite, planted, out=tmp_path / "run", limit=6).findings.height > 0
    assert MODELS.get("echo").__name__ == "Echo"
    broken = suite_of(tmp_path, "broken_plugin:Study")
    with pytest.raises(InputError, match=r"suite\.toml:3: 'broken_plugin:Study' cannot be loaded"):
        slant.audit(broken, planted, out=tmp_path / "other")


@pytest.mark.parametrize("name", PLUGINS)
def test_the_page_of_plug_ins_shows_the_examples(name: str) -> None:
    page = (EXAMPLES.parent.parent / "docs" / "plug-ins.md").read_text()
    assert (EXAMPLES / f"{name}.py").read_text().rstrip() in page
