from __future__ import annotations

import csv
import sys
import tomllib
from collections import Counter
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from openai_server import Asked, Reply, Server, clean_environment
from tiny_masked import make_bert
from typer.testing import CliRunner

from slant.cli.names import app
from slant.embeddings import embed, minilm_folder
from slant.errors import InputError
from slant.groups.name_building import Candidate, build_names, from_faker, from_table, write_names
from slant.groups.name_building.candidates import usable
from slant.groups.name_building.clusters import agreement, own_neighbours
from slant.groups.name_building.scripts import TABLES, transliteration
from slant.groups.names import load_names

SETTINGS = {"per_group": 12, "clusters": 500}
"""What the packaged list was built with."""


def by_first_letter(names: Sequence[str]) -> NDArray[np.float32]:
    """Put names with the same first letter into the same place, nearly."""
    vectors = np.zeros((len(names), 200), np.float32)
    for row, name in zip(vectors, names, strict=True):
        row[ord(name[0])] = 1
        row[150 + ord(name[1]) % 50] = 0.05
    unit: NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit


def people(letter: str, count: int, gender: str, ethnicity: str) -> list[Candidate]:
    """Make names of a group that begin with a letter."""
    return [
        Candidate(f"{letter}{chr(97 + at // 26)}{chr(97 + at % 26)}", gender, ethnicity, "test")
        for at in range(count)
    ]


FOUR = [
    *people("A", 20, "Female", "Arab"),
    *people("B", 20, "Male", "Arab"),
    *people("C", 20, "Female", "Thai"),
    *people("A", 40, "Male", "Thai")[20:],  # among the first: their cluster agrees on nobody
]


def test_names_come_from_clusters_that_agree_on_their_group() -> None:
    built = build_names(FOUR, by_first_letter, per_group=5, clusters=3)
    assert Counter(each.candidate.group for each in built.names) == dict.fromkeys(
        {each.group for each in FOUR}, 5
    )
    for each in built.names:
        mixed = each.candidate.name.startswith("A")
        assert each.filled == mixed
        assert each.agreement == pytest.approx(0.5 if mixed else 1)
    assert built.filled == {"Arab Female": 5, "Thai Male": 5}
    assert (built.clusters, built.agreeing, built.candidates) == (3, 2, 80)


def test_the_same_seed_draws_the_same_names_and_another_one_others() -> None:
    drawn = [build_names(FOUR, by_first_letter, per_group=5, seed=seed) for seed in (0, 0, 1)]
    assert drawn[0] == drawn[1]
    assert drawn[0].names != drawn[2].names


def test_one_cluster_gives_at_most_half_while_others_are_left() -> None:
    found = [*people("A", 30, "Female", "X"), *people("B", 12, "Female", "X")]
    found += people("C", 30, "Male", "X")
    built = build_names(found, by_first_letter, per_group=10, clusters=3)
    letters = Counter(each.candidate.name[0] for each in built.names)
    assert letters == {"A": 5, "B": 5, "C": 10}


def test_fewer_names_than_clusters() -> None:
    built = build_names(FOUR[:30], by_first_letter, per_group=5, clusters=120)
    assert built.clusters <= 3  # one for every ten names
    assert len(built.names) == 10


def test_groups_that_are_too_small_are_named() -> None:
    found = [*FOUR[:40], *people("D", 3, "Male", "Thai"), *people("E", 1, "Male", "Greek")]
    built = build_names(found, by_first_letter, per_group=5)
    assert built.notes == (
        "left out, for a single name each: Greek Male",
        "fewer than 5 names: Thai Male (3)",
    )


def test_which_names_are_usable() -> None:
    def of(name: str, gender: str = "Female", ethnicity: str = "X") -> Candidate:
        return Candidate(name, gender, ethnicity, "test")

    kept, left_out = usable(
        [
            *(of("Zoë"), of("ZOE"), of("J"), of("Anna Maria"), of("Li-Na"), of("Мария")),
            *(of("Abcdefghijklm"), of("Abcdefghijklmn"), of("R2D2"), of("Željka")),
            *(of("Kim"), of("Kim", "Male"), of("Ana"), of("Aña", ethnicity="Y")),
        ]
    )
    assert [each.name for each in kept] == ["Zoë", "Abcdefghijklm", "Željka"]
    assert left_out == {
        "not_one_word_of_2_to_13_latin_letters": 6,
        "of_several_ethnicities": 1,
        "of_several_genders": 1,
        "repeated_within_a_group": 1,
    }


def test_names_without_latin_letters_are_refused_with_their_number() -> None:
    found = [Candidate(name, "Female", "X", "test") for name in ("Мария", "Анна", "Ольга")]
    with pytest.raises(InputError, match="3 not one word of 2 to 13 latin letters"):
        build_names(found, by_first_letter)


def test_shares_by_hand() -> None:
    labels, groups = np.array([0, 0, 0, 1]), np.array([0, 0, 1, 1])
    assert agreement(labels, groups) == pytest.approx(np.array([[2 / 3, 1 / 3], [0, 1]]))
    vectors = np.array([[1, 0], [0.99, 0.1], [0, 1], [0.1, 0.99]], np.float32)
    np.testing.assert_array_equal(own_neighbours(vectors, np.array([0, 0, 1, 0]), 1), [1, 1, 0, 0])


@pytest.mark.parametrize(
    ("script", "original", "latin"),
    [
        ("hangul", "경숙", "Gyeongsuk"),
        ("hangul", "예은", "Yeeun"),
        ("hangul", "민준", "Minjun"),
        ("anyascii", "淑芬", "Shufen"),
        ("anyascii", "Δημήτρης", "Dimitris"),
        ("anyascii", "Ярослав", "Yaroslav"),
        ("arabic", "خديجة", "Khadija"),
        ("hebrew", "יצחק", "Yitzhak"),
        ("thai", "สมเกียรติ", "Somkiat"),
        ("thai", "no such name", None),
    ],
)
def test_other_scripts(script: str, original: str, latin: str | None) -> None:
    pytest.importorskip("anyascii")
    assert transliteration(script)(original) == latin


@pytest.mark.parametrize("table", TABLES)
def test_tables_written_by_hand_give_each_spelling_once(table: str) -> None:
    text = files("slant.data").joinpath("names", f"{table}.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    assert len({row["original"] for row in rows}) == len(rows) > 50
    assert all(row["latin"].isascii() and row["latin"].istitle() for row in rows)


def test_fakers_names_fill_forty_groups() -> None:
    pytest.importorskip("faker")
    kept, _ = usable(from_faker())
    sizes = Counter(each.group for each in kept)
    assert len(sizes) == 40
    assert min(sizes.values()) >= 12


def test_the_packaged_names_are_among_those_of_faker() -> None:
    pytest.importorskip("faker")
    kept = {
        (each.name, *each.group, each.source, each.original) for each in usable(from_faker())[0]
    }
    text = files("slant.data").joinpath("names", "global.csv").read_text(encoding="utf-8")
    for row in csv.DictReader(text.splitlines()):
        found = (row["name"], row["ethnicity"], row["gender"], row["source"], row["original"])
        assert found in kept


def test_without_faker_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "faker.providers.person.yo_NG", None)
    with pytest.raises(InputError, match=r"pip install 'slant\[names\]'"):
        from_faker()


def own_table(folder: Path) -> Path:
    rows = [f"{each.name},{each.gender},{each.ethnicity}" for each in FOUR]
    file = folder / "mine.csv"
    file.write_text("\n".join(["name,gender,ethnicity", *rows]), encoding="utf-8")
    return file


def test_the_command_writes_a_list_that_can_be_loaded(tmp_path: Path) -> None:
    make_bert(tmp_path / "bert")
    out = tmp_path / "lists" / "names.csv"
    command = ["build", "--from", str(own_table(tmp_path)), "--embedder", str(tmp_path / "bert")]
    done = CliRunner().invoke(app, [*command, "--out", str(out), "--per-group", "4"])
    assert done.exit_code == 0, done.output
    assert "16 names of 4 groups" in done.output
    first = out.read_bytes()
    table = load_names(out)
    assert set(Counter(each.group for each in table.names).values()) == {4}
    about = tomllib.loads(out.with_suffix(".toml").read_text(encoding="utf-8"))
    assert about["settings"] == {"per_group": 4, "clusters": 120, "seed": 0}
    assert about["sources"]["names"] == "mine.csv"
    assert about["embedder"]["name"] == "bert"
    assert about["counts"]["candidates"] == 80
    assert str(tmp_path) not in out.with_suffix(".toml").read_text(encoding="utf-8")
    CliRunner().invoke(app, [*command, "--out", str(out), "--per-group", "4"])
    assert out.read_bytes() == first


def embedded(asked: Asked) -> Reply:
    """Give texts vectors by their first letter, the last text first, and of another length."""
    assert (asked.path, asked.body["model"]) == ("/v1/embeddings", "large")
    vectors = 3 * by_first_letter(asked.body["input"])
    rows = [{"index": place, "embedding": row.tolist()} for place, row in enumerate(vectors)]
    return Reply({"data": rows[::-1]})


def test_names_are_embedded_by_a_server_where_one_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in the publication, whose names OpenAI embedded."""
    clean_environment(monkeypatch)
    out = tmp_path / "names.csv"
    with Server(embedded).running() as server:
        command = ["build", "--from", str(own_table(tmp_path)), "--out", str(out)]
        command += ["--per-group", "4", "--embedder", f"{server.address}#large"]
        done = CliRunner().invoke(app, command)
        assert done.exit_code == 0, done.output
        assert len(server.asked) == 1
        server.script = lambda _: Reply({"data": []})
        done = CliRunner().invoke(app, [*command, "--seed", "1"])
    assert "holds no embedding of every text" in str(done.exception)
    found = build_names([*FOUR], by_first_letter, per_group=4)
    assert [each.name for each in load_names(out).names] == [
        each.candidate.name for each in found.names
    ]
    about = tomllib.loads(out.with_suffix(".toml").read_text(encoding="utf-8"))
    assert about["embedder"]["name"] == "large"


def test_what_the_command_refuses(tmp_path: Path) -> None:
    table = own_table(tmp_path)
    for out, complaint in (("names.txt", "call it names.csv"), ("mine.csv", "would replace")):
        done = CliRunner().invoke(
            app, ["build", "--from", str(table), "--out", str(tmp_path / out)]
        )
        assert isinstance(done.exception, InputError)
        assert complaint in str(done.exception)


def test_what_a_table_of_ones_own_leaves_out_is_told(tmp_path: Path) -> None:
    make_bert(tmp_path / "bert")
    file, out = own_table(tmp_path), tmp_path / "names.csv"
    more = "\nZoe,Female,Greek\nSasha,Female,Arab\nSasha,Male,Thai\n"
    file.write_text(file.read_text(encoding="utf-8") + more, encoding="utf-8")
    found, notes = from_table(file)
    assert len(found) == 80
    assert notes == (
        "1 name in several groups, left out of each: Sasha",
        "a single name each, left out: Greek Female",
    )
    command = ["build", "--from", str(file), "--embedder", str(tmp_path / "bert")]
    done = CliRunner().invoke(app, [*command, "--out", str(out)])
    assert f"note: {notes[0]}" in done.output
    assert tomllib.loads(out.with_suffix(".toml").read_text(encoding="utf-8"))["notes"] == [*notes]


def packaged_settings() -> dict[str, dict[str, object]]:
    text = files("slant.data").joinpath("names", "global.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def test_the_packaged_list_says_how_it_was_made() -> None:
    about = packaged_settings()
    assert about["settings"] == {**SETTINGS, "seed": 0}
    assert "MIT" in str(about["sources"]["license"])
    assert about["counts"]["names"] == 480


@pytest.mark.model
@pytest.mark.skipif(not minilm_folder().exists(), reason="needs the encoder, fetched before")
@pytest.mark.slow
def test_the_packaged_list_is_what_the_command_builds(tmp_path: Path) -> None:
    pytest.importorskip("faker")
    from importlib.metadata import version

    made = packaged_settings()["versions"]
    same = ("Faker", "anyascii", "numpy", "scikit-learn", "torch", "transformers", "tokenizers")
    if any(made[name] != version(name) for name in same):
        pytest.skip("built with other versions; k-means may draw other names")
    built = build_names(from_faker(), embed, **SETTINGS)
    write_names(tmp_path / "global.csv", built, {})
    packaged = pl.read_csv(files("slant.data").joinpath("names", "global.csv").read_bytes())
    found = pl.read_csv(tmp_path / "global.csv")
    # The encoder computes in single precision, whose last digits depend on the machine.
    assert found.drop("cluster", "agreement").equals(packaged.drop("cluster", "agreement"))
    assert (found["cluster"] == packaged["cluster"]).sum() > 0.98 * len(packaged)
    near = pytest.approx(packaged["agreement"].to_numpy(), abs=0.002)
    assert found["agreement"].to_numpy() == near
