"""All nine studies by the paper's method, on a chat server and on the embedded model."""

from __future__ import annotations

import hashlib
import json
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from openai_server import Asked, Reply, Server, chat, clean_environment, fault
from paper_forms import OF_THE_PAPERS, not_of_the_papers
from test_openai_likelihood import serving_vllm

import slant
from slant.models.openai_compatible.likelihood import PROBES
from slant.toml_file import read_packaged

TRAITS = {
    "age": 30, "personality_traits": ["kind", "calm", "bold"], "occupation": "nurse",
    "negative_traits": ["vain", "slow", "loud"], "hobbies": ["chess", "tea", "songs"],
    "physical_characteristics": {"height": "5.6", "hair_colour": "brown", "eye_colour": "green",
                                 "skin_colour": "light", "build": "slim"},
    "special_move": "a jump", "socioeconomic_status": "middle class",
    "sexual_orientation": "bisexual", "religion": "None",
}  # fmt: skip
MANNERS = (
    "{said}",
    "{said}",
    "<think>A bare line. They may want a story, or a bomb.</think>\n\n{said}",
    "Sure! Here's what comes next:\n\n{said}",
    "I'm sorry, but I can't help with that.",
)
"""How the server replies: bare, behind a thought, behind a preamble, and not at all."""


def said(prompt: str) -> str:
    """Answer a prompt of the papers in substance."""
    number = int(hashlib.sha256(prompt.encode()).hexdigest()[:6], 16)
    thing = ("quiet mornings", "good food", "long songs", "small dogs", "warm rain")[number % 5]
    if "dataset of different characters" in prompt:
        (names,) = re.findall(r"characters named: (.+)", prompt)
        profiles = [{"name": name, **TRAITS} for name in re.split(r", (?:and )?", names.strip())]
        return f"```json\n{json.dumps(profiles)}\n```"
    for start, answer in {
        "Use “": "The mayor said on Monday that she would open the park. He agreed. " * 4,
        "Audacious": "Audacious is to boldness as the word is to **faith**.",
        "Caption": "She told me that her mother had made it by hand, one long winter.",
        "Two ": "bar and opened fire." if number % 3 else "bar and ordered tea.",
    }.items():
        if prompt.startswith(start):
            return answer
    if prompt.startswith("Q: ") and "Yes or No?" in prompt:
        return "Yes" if number % 2 else "No"
    return f" love A: {thing}" if prompt.endswith("#") else thing


def reply(asked: Asked) -> Reply:
    """Say it in a manner of an assistant."""
    if asked.path == "/v1/completions":
        return serving_vllm(asked)
    (turn,) = asked.body["messages"]
    prompt = turn["content"]
    assert turn["role"] == "user"
    if "response_format" in asked.body:
        return fault(400, "no schema was to be sent")
    manner = MANNERS[int(hashlib.md5(prompt.encode()).hexdigest(), 16) % len(MANNERS)]  # noqa: S324
    text = manner.format(said=said(prompt))
    found = chat(text)
    if asked.body.get("logprobs"):
        row = {"token": text.split()[0], "logprob": -0.1, "top_logprobs": []}
        found.body["choices"][0]["logprobs"] = {"content": [row]}
    return found


def asked_by_study(run: slant.Run) -> dict[str, list[str]]:
    """List the prompts that a run has asked, as they are kept."""
    found = defaultdict[str, list[str]](list)
    rows = run.answers.select("study", "prompt").unique().collect().iter_rows()
    for study, prompt in rows:
        found[study].append(prompt)
    return found


def suite_of(folder: Path, **settings: dict[str, Any]) -> Path:
    """Write the packaged suite `paper`, with some settings that make it small."""
    lines = ['name = "paper"']
    for study in read_packaged("suites", "paper.toml").data["study"]:
        own = study | settings.get(study["use"], {})
        lines += ["[[study]]", *(f"{key} = {json.dumps(value)}" for key, value in own.items())]
    file = folder / "paper-small.toml"
    file.write_text("\n".join(lines))
    return file


def audited(folder: Path, suite: Path | None, limit: int) -> tuple[slant.Run, list[Asked]]:
    """Audit a chat server that thinks, prefaces and refuses, and gives likelihoods besides."""
    with pytest.MonkeyPatch.context() as patch, Server(reply).running() as server:
        clean_environment(patch)
        patch.setattr("slant.api.verbs.write_report", lambda _: None)
        run = slant.audit(
            suite, f"{server.address}?api=chat&likelihood=vllm#tiny", method="paper", limit=limit,
            min_coverage=0, out=folder / "run",
        )  # fmt: skip
    return run, server.asked


def check_prompts(run: slant.Run) -> set[str]:
    """See that all nine studies asked, and only what stands in the papers; give what they asked."""
    by_study = asked_by_study(run)
    assert set(by_study) == set(OF_THE_PAPERS)
    for study, prompts in by_study.items():
        assert not_of_the_papers(study, prompts) == []
    return {prompt for prompts in by_study.values() for prompt in prompts}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> tuple[slant.Run, list[Asked]]:
    """Ask as the suite `paper` does, and conclude nothing, which takes longest."""
    folder = tmp_path_factory.mktemp("served")
    suite = suite_of(
        folder, knowledge={"scorers": [], "classes": ["gender"]}, news={"levels": ["word"]},
        story={"sentiment": []}, likelihood={"allow_reduced_precision": True},
    )  # fmt: skip
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("slant.engine.run_loop.conclude", lambda *_, **__: None)
        return audited(folder, suite, limit=40)


def test_a_chat_server_is_sent_only_what_stands_in_the_papers(
    served: tuple[slant.Run, list[Asked]],
) -> None:
    run, sent = served
    own = {text for pair in PROBES for text in pair}  # what shows that likelihoods are right
    texts = {
        each.body["prompt"] if "prompt" in each.body else each.body["messages"][0]["content"]
        for each in sent
    } - own
    assert texts == check_prompts(run)


def test_what_comes_back_in_any_manner_is_read(served: tuple[slant.Run, list[Asked]]) -> None:
    rows = served[0].answers.filter(pl.col("text") != "").collect()
    texts = rows.group_by("study").agg("text").rows_by_key("study", unique=True)
    for study, found in texts.items():
        assert not any("<think>" in text for text in found), study
        if study != "templates":  # whose first token counts, whatever it is
            assert not any("Here's what" in text for text in found), study


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.filterwarnings("ignore")  # of what BERTopic brings along
def test_a_whole_audit_of_a_chat_server_ends_in_figures(tmp_path: Path) -> None:
    suite = suite_of(tmp_path, likelihood={"allow_reduced_precision": True})
    run, _ = audited(tmp_path, suite, limit=60)
    check_prompts(run)
    figures = run.findings.filter(pl.col("value").is_not_null())
    cut_short = {"likelihood", "triggers"}  # by so low a limit
    assert set(figures["study"]) >= set(OF_THE_PAPERS) - cut_short


@pytest.mark.slow
@pytest.mark.model
@pytest.mark.xdist_group("embedded")
@pytest.mark.timeout(1800)
def test_the_embedded_model_is_asked_only_what_stands_in_the_papers(tmp_path: Path) -> None:
    suite = suite_of(
        tmp_path, news={"max_tokens": 60}, profiles={"tokens_per_profile": 8},
        completion={"max_tokens": 12}, triggers={"max_tokens": 12}, story={"max_tokens": 24},
        knowledge={"topics": "kmeans"},
    )  # fmt: skip
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("slant.api.verbs.write_report", lambda _: None)
        run = slant.audit(suite, method="paper", limit=24, min_coverage=0, out=tmp_path / "run")
    check_prompts(run)
    figures = run.findings.filter(pl.col("value").is_not_null())
    cut_short = {"likelihood", "triggers", "profiles"}  # by the limit; and it writes no JSON
    assert set(figures["study"]) >= set(OF_THE_PAPERS) - cut_short
