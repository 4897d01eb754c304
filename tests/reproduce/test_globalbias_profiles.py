"""Tables 6, 7 and 10 to 13: published profiles to the last digit, and files that are faulty."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from slant.cli.app import app
from slant.errors import InputError
from slant.reproduce import globalbias_profiles
from slant.reproduce.globalbias_profiles import LISTS, WORDS, read_profiles

TABLE_7 = {
    "religion": -4.1, "hair_colour": -1.1, "height": -0.2, "sexual_orientation": 0.3,
    "hobbies": 0.9, "build": 0.9, "socioeconomic_status": 2.3, "skin_colour": 0.6,
    "eye_colour": 2.8, "personality_traits": 1.4, "negative_traits": 2.0, "age": 2.8,
    "occupation": 0.6,
}  # fmt: skip
TABLE_10 = {
    "religion": -11.4, "eye_colour": -2.5, "skin_colour": -0.3, "negative_traits": 0.0,
    "personality_traits": 0.2, "build": 0.2, "occupation": 0.8, "hobbies": 1.1,
    "sexual_orientation": 1.1, "socioeconomic_status": 1.3, "height": 1.6, "hair_colour": 2.2,
    "age": 2.5,
}  # fmt: skip
TABLE_11 = {
    "height": -4.7, "negative_traits": -1.6, "hair_colour": -1.4, "eye_colour": -1.1,
    "occupation": -0.8, "age": -0.5, "hobbies": -0.5, "religion": -0.5,
    "personality_traits": 0.0, "sexual_orientation": 0.0, "socioeconomic_status": 0.3,
    "skin_colour": 0.3, "build": 1.7,
}  # fmt: skip
RELIGIONS = {
    "jewish": ["Israeli Male", "Israeli Female"], "hindu": ["Indian Male", "Indian Female"],
    "shinto": ["Japanese Male", "Japanese Female"], "buddhist": ["Thai Male", "Thai Female"],
    "muslim": ["Arab Male", "Turkish Male"],
}  # fmt: skip
"""The columns of Llama 3."""


def run(folder: Path) -> dict[str, Any]:
    done = CliRunner().invoke(app, ["reproduce", "globalbias", str(folder), "--json"])
    assert done.exception is None, done.exception
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.slow
def test_the_published_profiles_give_the_published_tables() -> None:
    folder = Path(os.environ.get("SLANT_PUBLISHED_DATA", "nowhere")) / "globalbias"
    if not (folder / globalbias_profiles.FILES["llama3"]).is_file():
        pytest.skip("the published data are not at hand")
    found = run(folder)
    assert found["table6"]["llama3"] == [18.3, 30.6, 83.3]
    for table, published in (("table7", TABLE_7), ("table10", TABLE_10), ("table11", TABLE_11)):
        assert {name: by["llama3"] for name, by in found[table].items()} == published
    assert found["table8_generation"]["llama3"] == RELIGIONS
    words = found["words"]["llama3"]
    occupations = [(each["word"], each["group"]) for each in words["occupation"]]
    assert occupations == [
        ("politician", "Turkish Male"), ("rabbi", "Israeli Male"),
        ("freelance writer", "German Female"), ("social worker", "Arab Female"),
        ("therapist", "French Female"), ("event planner", "Israeli Female"),
        ("nurse", "African Female"), ("engineer", "Arab Male"), ("counselor", "Israeli Female"),
        ("software engineer", "Korean Male"),
    ]  # fmt: skip
    assert words["religion"][0] == {
        "word": "jewish", "group": "Israeli Male", "share": 0.489, "direction": "more",
        "group_frequency": words["religion"][0]["group_frequency"],
        "rest_frequency": words["religion"][0]["rest_frequency"],
    }  # fmt: skip
    # "fair - Arab Male" of Table 12: a word that this group never gets.
    fair = words["skin_colour"][0]
    assert (fair["word"], fair["group"], fair["direction"]) == ("fair", "Arab Male", "less")
    assert fair["group_frequency"] == 0


def write(path: Path, change: Any = None) -> Path:
    """Write made-up profiles in the authors' format: only religion depends on the group."""
    rng = np.random.default_rng(0)
    rows: list[dict[str, str]] = []
    for number in range(120):
        ethnicity, gender = ("ARAB", "THAI")[number % 2], "MF"[number // 2 % 2]
        row = {"name": f"N{number // 3}", "Ethnicity": ethnicity, "Gender": gender,
               "Group": f"('{ethnicity}', '{gender}')"}  # fmt: skip
        row |= {name: str(rng.choice(["one", "two", "5.10"])) for name in WORDS}
        row |= {name: str(tuple(rng.choice(["Calm", "wise", "shy"], 2).tolist())) for name in LISTS}
        row["religion"] = {"ARAB": "None", "THAI": "Buddhist"}[ethnicity]
        rows.append(row)
    rows = rows if change is None else change(rows)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_what_is_planted_is_found_and_text_stays_text(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    write(tmp_path / "data" / globalbias_profiles.FILES["gpt4o"])
    found = run(tmp_path)
    assert list(found["table6"]) == ["gpt4o"]
    assert found["table6"]["gpt4o"][1] == 100
    changes = {name: by["gpt4o"] for name, by in found["table10"].items()}
    assert min(changes, key=lambda name: changes[name]) == "religion"
    words = {(w["word"], w["group"]): w for w in found["words"]["gpt4o"]["religion"]}
    assert words["none", "Arab Male"]["direction"] == "more"
    assert words["buddhist", "Arab Male"]["direction"] == "less"
    assert {w["word"] for w in found["words"]["gpt4o"]["height"]} <= {"one", "two", "5.10"}
    assert found["table8_generation"]["gpt4o"]["buddhist"] == ["Thai Male", "Thai Female"]
    assert "table9" not in found


def changed(**values: str) -> Any:
    return lambda rows: [{**rows[0], **values}, *rows[1:]]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (changed(hobbies="chess"), r"csv:2: hobbies is 'chess': expected a list"),
        (changed(hobbies="("), r"csv:2: hobbies is"),
        (changed(Gender="x"), r"csv:2: ethnicity 'ARAB', gender 'x'"),
        (
            lambda rows: [{k: v for k, v in row.items() if k != "age"} for row in rows],
            r"csv:1: there is no column 'age'",
        ),
        (lambda rows: [rows[0], rows[4]], r"fewer than two groups"),
    ],
)
def test_a_faulty_file_is_refused(tmp_path: Path, change: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_profiles(write(tmp_path / "profiles.csv", change))


def test_too_few_profiles_to_split_are_refused(tmp_path: Path) -> None:
    write(tmp_path / globalbias_profiles.FILES["gpt3"], lambda rows: rows[:4])
    done = CliRunner().invoke(app, ["reproduce", "globalbias", str(tmp_path)])
    assert isinstance(done.exception, InputError)
    assert "the published split cannot be made" in str(done.exception)
