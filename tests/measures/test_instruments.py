"""Instruments of one's own: small real classifiers, made here, spelt in a file with their hash."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
from tiny_classifier import make_classifier
from typer.testing import CliRunner

import slant
from slant.cli.app import app
from slant.engine.suite import load_suite
from slant.errors import InputError
from slant.measures.hf_classifier import HFClassifier
from slant.measures.instruments import load_instruments, spelt_instruments
from slant.studies.knowledge.settings import KnowledgeSettings
from slant.studies.protocol import load_protocol

WORDS = ("good", "bad", "lazy", "kind", "are", "They", "Lions", "Wolves", "love", "music", ".")
TRIPLES = [("are", "lazy"), ("are", "kind"), ("love", "music"), ("are", "bad"), ("love", "good")]


def sha256(folder: Path, name: str = "model.safetensors") -> str:
    return hashlib.sha256((folder / name).read_bytes()).hexdigest()


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("weights")
    regard = ["negative", "neutral", "positive", "other"]
    make_classifier(folder / "sheng", regard, words=WORDS)
    make_classifier(folder / "detoxify", ["toxicity", "insult"], several=True, words=WORDS)
    return folder


def spell(weights: Path, text: str) -> Path:
    """Write a file of instruments beside the weights, with their hashes filled in."""
    for name in ("sheng", "detoxify"):
        text = text.replace(f"HASH-OF-{name}", sha256(weights / name))
    file = weights / "instruments.toml"
    file.write_text(text)
    return file


ALL = """
[regard]
path = "sheng"
sha256 = "HASH-OF-sheng"

[toxicity]
path = "detoxify"
sha256 = "HASH-OF-detoxify"
label = "toxicity"

[identity_attack]
scores = "perspective.csv"
"""


@pytest.fixture
def every(weights: Path) -> Path:
    rows = [f"{who} {verb} {what}.,{0.1 * n:.1f}" for who in ("Lions", "Wolves")
            for n, (verb, what) in enumerate(TRIPLES[:4])]  # fmt: skip
    (weights / "perspective.csv").write_text("\n".join(["text,score", *rows]))
    return spell(weights, ALL)


def measured(folder: Path, instruments: Path) -> slant.Run:
    rows = [
        {"class": "beasts", "subject": subject, "predicate": verb, "object": what,
         "lineage": str(lineage)}
        for subject in ("Lions", "Wolves") for lineage in range(8) for verb, what in TRIPLES
    ]  # fmt: skip
    (folder / "triples.jsonl").write_text("\n".join(map(json.dumps, rows)))
    settings = {
        "instruments": str(instruments),
        "scorers": [],
        "topics": "kmeans",
        "topic_count": 2,
    }
    return slant.measure(
        "knowledge", folder / "triples.jsonl", settings=settings, method="paper",
        out=folder / "run",
    )  # fmt: skip


@pytest.mark.usefixtures("undrawn")
def test_knowledge_is_scored_by_what_is_spelt_and_its_findings_name_the_weights(
    every: Path, weights: Path, tmp_path: Path
) -> None:
    run = measured(tmp_path, every)
    (section,) = run.sections()
    triples = section.analysis.tables["triples"]
    said = [f"They {row['predicate']} {row['object']}." for row in triples.iter_rows(named=True)]
    sheng = HFClassifier(str(weights / "sheng"))
    chances = sheng.probabilities(said)
    np.testing.assert_allclose(triples["regard"], chances[:, 2] - chances[:, 0], atol=1e-6)
    toxic = HFClassifier(str(weights / "detoxify"))
    np.testing.assert_allclose(triples["toxicity"], toxic.probabilities(said)[:, 0], atol=1e-6)
    # Attacks are told of statements with their subjects, and recorded of four in five of them.
    attacks = triples.filter(subject="Lions", lineage="0")["identity_attack"].to_list()
    assert attacks == pytest.approx([0.0, 0.1, 0.2, 0.3, None])
    signatures = {f.metric: str(f.signature) for f in run.finding_list()}
    assert sheng.signature in signatures["regard"]
    assert toxic.signature in signatures["toxicity"]
    assert "identity_attack:recorded@" in signatures["identity_attack"]
    notes = " ".join(section.analysis.notes)
    assert "16 of 80 statements have no score of identity attack (recorded)" in notes
    steps = load_protocol("knowledge")
    assert steps is not None
    protocol = steps.table(KnowledgeSettings(instruments=str(every)))
    standing = dict(protocol.select("published", "standing").iter_rows())
    assert standing["BERT regard model"] == "same"
    assert standing["the identity attack score from Jigsaw's Perspective API"] == "same"


@pytest.mark.usefixtures("undrawn")
def test_attacks_are_held_against_what_their_scorer_makes_of_the_name(
    weights: Path, tmp_path: Path
) -> None:
    """What differs between subjects of which the same is said is the classifier's own."""
    text = '[identity_attack]\npath = "detoxify"\nsha256 = "HASH-OF-detoxify"\nlabel = "insult"\n'
    run = measured(tmp_path, spell(weights, text))
    found = [f for f in run.finding_list()
             if f.metric == "identity_attack" and f.contrast == "vs_rest"]  # fmt: skip
    ruler = HFClassifier(str(weights / "detoxify"))
    neutral = ("{} live here.", "There are {} in the room.", "I have met {}.")
    mean = {who: ruler.probabilities([each.format(who) for each in neutral])[:, 1].mean()
            for who in ("Lions", "Wolves")}  # fmt: skip
    held = {f.group: f.ruler for f in found}
    assert held["Lions"] == pytest.approx(mean["Lions"] - mean["Wolves"], abs=1e-6)
    assert held["Lions"] != 0


def test_without_instruments_the_protocol_says_that_they_are_not_to_be_had() -> None:
    protocol = load_protocol("knowledge")
    assert protocol is not None
    told = protocol.table(KnowledgeSettings()).filter(published="BERT regard model")
    assert told.select("standing", "because").rows() == [("differs", "not to be had")]


def test_a_suite_spells_them_once_for_all_its_studies(every: Path, weights: Path) -> None:
    suite = weights / "suite.toml"
    suite.write_text(
        'name = "s"\ninstruments = "instruments.toml"\n'
        '[[study]]\nuse = "knowledge"\n[[study]]\nuse = "news"\n[[study]]\nuse = "completion"\n'
    )
    studies = {each.use: each for each in load_suite(suite).studies}
    for name in ("knowledge", "news"):
        assert studies[name].config().settings["instruments"] == str(every.resolve())
    assert "instruments" not in studies["completion"].config().settings
    suite.write_text('name = "s"\ninstruments = "i.toml"\n[[study]]\nuse = "completion"\n')
    with pytest.raises(InputError, match=r"suite\.toml:2: no study of this suite takes instr"):
        load_suite(suite)


def test_news_takes_their_toxicity_in_place_of_detoxify(every: Path) -> None:
    from slant.registry import STUDIES
    from slant.studies.study import Circumstances

    kind = STUDIES.get("news")
    asked = kind(
        kind.Settings(instruments=str(every)), Circumstances("m", frozenset({"chat"}))
    )  # fmt: skip
    scorers = asked._scorers
    assert [each.called for each in scorers][:2] == ["textblob", "toxicity (detoxify)"]
    assert scorers[1].name == "toxic"  # so that figures are worded as Detoxify's


SHENG = '[regard]\npath = "sheng"\n'
WRONG = SHENG + f'sha256 = "{"0" * 64}"'
TOXIC = '[toxicity]\npath = "detoxify"\nsha256 = "HASH-OF-detoxify"\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (WRONG, r"toml:3: model\.safetensors in 'sheng' is another .* SHA-256 is [0-9a-f]{64}"),
        (SHENG, r'instruments\.toml:1: no hash is given.*\nsha256 = "[0-9a-f]{64}"'),
        ('[regard]\npath = "sheng2"\nsha256 = "x"', r"toml:2: 'sheng2' is no directory"),
        ('[regrad]\npath = "sheng"', r"toml:1: regrad: unknown key: did you mean 'regard'"),
        (SHENG + 'hash = "x"', r"toml:3: regard\.hash: unknown key"),
        (TOXIC + 'label = "rude"', r"toml:1: .*no label 'rude': it has toxicity, insult"),
        (TOXIC, r"toml:1: toxicity\.label: missing"),
        ('[regard]\npath = "detoxify"\nsha256 = "HASH-OF-detoxify"', r"toml:1: .*no label 'posit"),
        ('[regard]\npath = "pickled"\nsha256 = "x"', r"pytorch_model\.bin is pickled, and reading"),
        ('[regard]\npath = "split"\nsha256 = "x"', "no hash is given for b.safetensors"),
        ('[regard]\npath = "sheng"\n[regard.sha256]\n"m.safetensors" = "x"', "there is no file 'm"),
        ('[identity_attack]\nscores = "no.csv"', r"no\.csv"),
        ('[identity_attack]\nscores = "a.csv"\npath = "b"', "leave one out"),
        ('[identity_attack]\nscores = "high.csv"', r"high\.csv:3: the score '1\.5' is not a numb"),
        ('[identity_attack]\nscores = "twice.csv"', r"twice\.csv:3: 'a' has another score"),
        ('[identity_attack]\nlabel = "x"', "give path, sha256 and label"),
        ("", "it names no instrument"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_file_and_line(weights: Path, text: str, message: str) -> None:
    for name, files in {"pickled": ["pytorch_model.bin"], "split": ["a", "b"]}.items():
        (weights / name).mkdir(exist_ok=True)
        for each in files:
            end = "" if "." in each else ".safetensors"
            (weights / name / f"{each}{end}").write_bytes(b"x")
    (weights / "high.csv").write_text("text,score\na,0.5\nb,1.5\n")
    (weights / "twice.csv").write_text("text,score\na,0.5\na,0.6\n")
    with pytest.raises(InputError, match=f"(?s){message}"):
        load_instruments(str(spell(weights, text)))


def test_several_files_of_weights_have_a_hash_each(weights: Path, tmp_path: Path) -> None:
    from transformers import BertForSequenceClassification

    folder = make_classifier(tmp_path / "big", ["negative", "neutral", "positive"], words=WORDS)
    model = BertForSequenceClassification.from_pretrained(folder)
    (folder / "model.safetensors").unlink()
    model.save_pretrained(folder, max_shard_size="2KB")
    shards = sorted(each.name for each in folder.glob("*.safetensors"))
    assert len(shards) > 1
    rows = "".join(f'"{name}" = "{sha256(folder, name)}"\n' for name in shards)
    file = tmp_path / "instruments.toml"
    file.write_text(f'[regard]\npath = "big"\n[regard.sha256]\n{rows}')
    regard = load_instruments(str(file)).regard
    assert regard is not None
    assert spelt_instruments(str(file)) == {"regard"}
    whole = HFClassifier(str(weights / "sheng"))
    assert regard.signature != f"regard:{whole.signature}"
    (folder / shards[-1]).write_bytes((folder / shards[-1]).read_bytes() + b"\0")
    with pytest.raises(InputError, match="is another file than this one says"):
        load_instruments(str(file))


def test_a_wrong_hash_ends_a_command_with_code_2_before_anything_is_asked(
    weights: Path, tmp_path: Path
) -> None:
    file = spell(weights, WRONG)
    (tmp_path / "s.toml").write_text(
        f'name = "s"\ninstruments = "{file}"\n[[study]]\nuse = "knowledge"\n'
    )
    (tmp_path / "m.toml").write_text('[[generate]]\nanswers = [{ text = " lazy." }]\n')
    result = CliRunner().invoke(
        app, ["audit", str(tmp_path / "s.toml"), "-m", f"mock:{tmp_path / 'm.toml'}",
              "--out", str(tmp_path / "run")],
    )  # fmt: skip
    assert isinstance(result.exception, InputError)
    assert result.exception.exit_code == 2
    assert "is another file than this one says" in str(result.exception)


SMALL = """
name = "small"
[[study]]
use = "completion"
samples = 1
[[study]]
use = "knowledge"
classes = ["gender"]
triples = 8
lineages = 2
topics = "kmeans"
scorers = []
"""


@pytest.mark.usefixtures("undrawn")
def test_any_suite_takes_a_file_of_instruments_and_the_run_records_it(
    every: Path, tmp_path: Path
) -> None:
    (tmp_path / "s.toml").write_text(SMALL)
    (tmp_path / "m.toml").write_text('[[generate]]\nanswers = [{ text = " lazy." }]\n')
    arguments = ["-m", f"mock:{tmp_path / 'm.toml'}", "--out", str(tmp_path / "run")]
    asked = CliRunner().invoke(
        app, ["audit", str(tmp_path / "s.toml"), "--method", "paper", "--min-coverage", "0",
              "--instruments", str(every), *arguments],
    )  # fmt: skip
    assert asked.exit_code == 0, asked.output
    run = slant.load(tmp_path / "run")
    assert run.config.instruments == {str(every): hashlib.sha256(every.read_bytes()).hexdigest()}
    measured = next(each for each in run.sections() if each.study == "knowledge").analysis
    assert measured.tables["triples"]["identity_attack"].dtype.is_float()
    steps = measured.tables["protocol"]
    scored = steps.filter(published=next(s for s in steps["published"] if "regard model" in s))
    assert scored["standing"].to_list() == ["same"]

    every.write_text(every.read_text() + "# another line\n")
    again = CliRunner().invoke(app, ["resume", str(tmp_path / "run")])
    assert again.exit_code == 0, again.output
    assert "instruments.toml is not what it was when this run began" in again.stderr


@pytest.mark.parametrize(
    ("suite", "text", "message"),
    [
        (SMALL, None, "instruments.toml"),
        (SMALL, "[regrad]", "regrad"),
        ('name = "s"\n[[study]]\nuse = "completion"\n', "[regard]\npath = \"x\"",
         "no study of this suite takes instruments: knowledge and news do"),
    ],
)  # fmt: skip
def test_a_file_of_instruments_that_cannot_be_used_ends_a_command_with_code_2(
    tmp_path: Path, suite: str, text: str | None, message: str
) -> None:
    (tmp_path / "s.toml").write_text(suite)
    (tmp_path / "m.toml").write_text('[[generate]]\nanswers = [{ text = " lazy." }]\n')
    if text is not None:
        (tmp_path / "instruments.toml").write_text(text)
    result = CliRunner().invoke(
        app, ["audit", str(tmp_path / "s.toml"), "-m", f"mock:{tmp_path / 'm.toml'}",
              "--instruments", str(tmp_path / "instruments.toml"), "--out", str(tmp_path / "run")],
    )  # fmt: skip
    assert isinstance(result.exception, InputError)
    assert result.exception.exit_code == 2
    assert message in str(result.exception)
    assert not (tmp_path / "run").exists()
