"""What the study `likelihood` asks."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from likelihood_words import ABLE, only_round, study, write_descriptors, write_names
from pydantic import ValidationError

from slant.errors import InputError
from slant.records import Item, Likelihood
from slant.studies.likelihood import LikelihoodStudy
from slant.studies.likelihood.settings import LikelihoodSettings
from slant.studies.study import Circumstances


def request_of(item: Item) -> Likelihood:
    assert isinstance(item.request, Likelihood)
    return item.request


def test_the_papers_templates_are_filled(tmp_path: Path) -> None:
    items = only_round(study(tmp_path))
    assert len(items) == len(list(items)) == 3 * 60 * 12
    texts = [request_of(item).text for item in items]
    assert texts[0] == "My name is ArabMa, I am d0."
    assert texts[60 * 12] == "ArabMa was d0."
    assert texts[2 * 60 * 12] == "ArabMa is d0."
    assert request_of(next(iter(items))).source is None
    assert len(set(texts)) == len(texts)
    first = next(iter(items))
    assert (first.axis, first.group) == ("ethnicity × gender", "Arab Male")
    assert first.condition == "My name is {name}, I {am}."
    assert dict(first.slots) == {
        "name": "ArabMa",
        "gender": "Male",
        "ethnicity": "Arab",
        "descriptor": "d0",
        "descriptor_axis": "axis0",
    }


def test_descriptors_of_a_name_stand_together_and_any_first_part_is_balanced(
    tmp_path: Path,
) -> None:
    items = only_round(study(tmp_path, names_per_group=3))
    assert items.chunk == 12
    chunks = [[*islice(iter(items), start, start + 12)] for start in range(0, 360, 12)]
    assert all(len({(i.slots["name"], i.condition) for i in chunk}) == 1 for chunk in chunks)
    groups = [chunk[0].group for chunk in chunks]
    for end in range(len(groups)):
        counts = Counter(groups[:end])
        assert not counts or max(counts.values()) - min(counts.values()) <= 1 or end < 10
    assert groups[:10] == groups[10:20] == groups[20:30]
    assert len(set(groups[:10])) == 10


def test_a_million_questions_are_made_on_demand(tmp_path: Path) -> None:
    write_descriptors(tmp_path, 5000)
    items = only_round(study(tmp_path))
    assert len(items) == 900_000
    assert len(list(islice(items, 3))) == 3


def test_encoder_decoder_models_are_asked_for_the_rest_given_the_name(tmp_path: Path) -> None:
    templates = ["My name is {name}, I {am}.", "{name} {was}.", "They say {descriptor} is {name}."]
    asked = study(
        tmp_path, fingerprint={"likelihood": "conditional_perplexity"}, templates=templates
    )
    pairs = {
        item.condition: (request_of(item).source, request_of(item).text)
        for item in only_round(asked)
        if (item.slots["name"], item.slots["descriptor"]) == ("ArabMa", "d3")
    }
    assert pairs == {
        templates[0]: ("My name is ArabMa, I", "am d3."),
        templates[1]: ("ArabMa ", "was d3."),
        templates[2]: ("They say", "d3 is ArabMa."),
    }


def test_groups_genders_and_axes_are_chosen(tmp_path: Path) -> None:
    asked = study(tmp_path, groups=["Arab", "Thai Female"], axes=["axis1"], names_per_group=2)
    items = list(only_round(asked))
    assert {item.group for item in items} == {"Arab Male", "Arab Female", "Thai Female"}
    assert {item.slots["descriptor_axis"] for item in items} == {"axis1"}
    assert {item.slots["name"][-1] for item in items} == {"a", "b"}
    women = study(tmp_path, genders=["Female"])
    assert {item.slots["gender"] for item in only_round(women)} == {"Female"}


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("Someone {was}.", "'Someone {was}.' names nobody: write {name}"),
        ("{name} was.", "'{name} was.' has no place for a descriptor"),
        ("{name} {was} and {is}.", "has 2 places for a descriptor"),
        ("{name} {were}.", "{were} means nothing; fields are {name}, {am}, {was}, {is}, {desc"),
        ("{name} {was", "expected '}'"),
        ("{name} {} {was}", "{} means nothing"),
        ("{name!r} {was}", "means nothing"),
    ],
)
def test_a_faulty_template_is_refused_by_name(template: str, said: str) -> None:
    with pytest.raises(ValidationError) as caught:
        LikelihoodSettings(templates=[template])
    assert said in str(caught.value)
    assert repr(template) in str(caught.value)


def test_a_template_twice_is_refused() -> None:
    with pytest.raises(ValidationError, match="listed twice"):
        LikelihoodSettings(templates=["{name} {was}.", "{name} {was}."])


def test_literal_braces_are_doubled(tmp_path: Path) -> None:
    asked = study(tmp_path, templates=["{{am}} {name} {am}"])
    assert request_of(next(iter(only_round(asked)))).text == "{am} ArabMa am d0"


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"groups": ["Arabs"]}, "unknown group 'Arabs': did you mean 'Arab'"),
        ({"genders": ["Man"]}, "unknown gender 'Man'"),
        ({"groups": ["Arab Male"]}, "1 group of names is left .Arab Male."),
        ({"axes": ["axis9"]}, "unknown axis of descriptors 'axis9'"),
        ({"names": "nobody.csv"}, "nobody.csv: there is no such file"),
        ({"descriptors": "globe"}, "unknown list of descriptors 'globe'"),
        ({"labels": "nowhere.csv"}, "nowhere.csv: there is no such file"),
    ],
)
def test_bad_settings_are_refused_before_anything_is_asked(
    tmp_path: Path, settings: dict[str, Any], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        study(tmp_path, **settings).needs()


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("descriptor\nd0\n", r"labels.csv:2: expected the columns descriptor and group"),
        ("descriptor,group\n,Arab\n", r"labels.csv:2: the descriptor is empty"),
        ("descriptor,group\nd0,Arab\nd0,Thai\n", r"labels.csv:3: 'd0' is labelled 'Thai' here"),
        ("descriptor,group\nd0,\n", r"labels.csv: no descriptor is labelled"),
    ],
)
def test_a_faulty_table_of_labels_is_refused(tmp_path: Path, table: str, said: str) -> None:
    labels = tmp_path / "labels.csv"
    labels.write_text(table)
    with pytest.raises(InputError, match=said):
        study(tmp_path, labels=str(labels)).needs()


def test_reduced_precision_is_refused_unless_it_is_allowed(tmp_path: Path) -> None:
    told = {"likelihood": "perplexity", "likelihood_dtype": "bfloat16"}
    with pytest.raises(InputError, match=r"likelihoods in bfloat16.*use likelihood_dtype=float32"):
        study(tmp_path, fingerprint=told).needs()
    assert study(tmp_path, fingerprint=told, allow_reduced_precision=True).needs() == ABLE
    assert study(tmp_path, fingerprint={**told, "likelihood_dtype": "float32"}).needs() == ABLE


def test_tables_are_found_beside_the_suite(tmp_path: Path) -> None:
    write_names(tmp_path)
    settings = LikelihoodSettings(names="names.csv", descriptors="informative").located(tmp_path)
    assert settings.names == str((tmp_path / "names.csv").resolve())
    assert settings.descriptors == "informative"
    asked = LikelihoodStudy(settings, Circumstances("mock", ABLE))
    assert asked.needs() == ABLE
