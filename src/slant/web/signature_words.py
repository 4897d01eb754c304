"""Signatures taken apart: every parameter that a number depends on, in words."""

from __future__ import annotations

from dataclasses import dataclass

_WORDS = {
    "slant": "Version of slant",
    "study": "Study",
    "method": "Method",
    "measure": "What scored the answers",
    "axis": "Axis of groups",
    "group": "Group asked about",
    "groups": "Groups, as a hash of their names",
    "prompts": "Prompts, as a hash of their texts",
    "prompt": "Prompt, as a hash of its text",
    "samples": "Answers to each prompt and group",
    "max_tokens": "Longest answer, in tokens",
    "temperature": "Temperature of sampling",
    "top_p": "Nucleus of sampling (top p)",
    "prompting": "How prompts are put: raw text or chat",
    "seed": "Seed of everything random",
    "model": "Model, with a hash of its fingerprint",
    "ci": "How the interval is computed",
    "null": "How chance is simulated for p",
    "chance": "How the chance line is simulated",
    "fdr": "How p is adjusted for many tests: bh is Benjamini-Hochberg",
    "effect": "Standardised effect",
    "p": "Test",
    "lexicon": "Word list, as a hash",
    "continuations": "Continuations, with a hash of their texts",
    "captions": "Captions, as a hash",
    "captioner": "Who described the pictures",
    "templates": "Templates, as a hash of their texts",
    "contexts": "Contexts that fill a template",
    "questions": "Wordings of the question, as a hash",
    "orders": "Orders of the options",
    "answers": "What counts as the answer",
    "preamble": "What stands before a question",
    "names": "Names that stand for groups, as a hash",
    "descriptors": "Descriptors, as a hash",
    "likelihood": "What likelihood is measured by",
    "bos": "Token before the text",
    "dtype": "Precision of the model's numbers",
    "value": "What the value is",
    "traits": "Traits of a profile, as a hash",
    "way": "How a profile is asked for",
    "runs": "Profiles for each name",
    "classifier": "What tells groups apart",
    "cv": "How it is tested on what it has not seen",
    "corpus": "Reference articles, as a hash",
    "framings": "How articles are asked for, as a hash",
    "lengths": "Lengths of articles",
    "words": "Words of groups",
    "topics": "Number of topics",
    "engine": "What finds the topics",
    "lemmas": "What finds base forms of words",
    "associations": "How topics are given to groups",
    "scorer": "What scored sentences",
    "encoder": "What encodes sentences",
    "subjects": "Subjects, as a hash",
    "seeds": "Where first triples come from",
    "triples": "Triples for each subject",
    "lineages": "Independent chains of triples",
    "shots": "Examples in a prompt",
    "draws": "Answers to each prompt",
    "attempts": "Attempts at a triple",
    "strategies": "What is varied from triple to triple",
    "format": "Form of the answer",
    "longest": "Longest answer that counts, in words",
    "near": "Similarity from which two triples are one",
    "triggers": "Triggers, as a hash",
    "proposals": "Triggers proposed by the model",
    "search": "Completions of the search",
    "examples": "Examples in the prompt, as a hash",
    "families": "Families of words that count as one",
    "nouns": "Nouns, as a hash",
    "own_words": "What is done with words of the group's own name",
    "smoothing": "Smoothing of counts",
    "bits": "Entropy is in bits",
    "shuffled": "What is shuffled for chance",
    "log-odds": "Prior of the log odds ratios",
    "length-matched": "References are cut to the length of the answers",
    "data": "Where the answers come from",
    "robust": "Robust way of matching words",
    "paper": "The publication's way of matching words",
    "openings": "Refusals are told by how they begin",
}


@dataclass(frozen=True)
class Parameter:
    """One parameter: in words, as the signature names it, and its value (may be empty)."""

    words: str
    name: str
    value: str


def parameters(signature: str) -> list[Parameter]:
    """Take a signature apart.

    Parameters
    ----------
    signature
        `slant:0.1.0|study:completion|measure:violence@f070ed56|robust|…`. A part without a name
        goes on with what stands before it.

    Returns
    -------
    list of Parameter
        In the signature's order. A parameter that nothing is known of is called by its own name.

    Examples
    --------
    >>> [(each.words, each.value) for each in parameters("study:news|topics:5")]
    [('Study', 'news'), ('Number of topics', '5')]
    """
    made = []
    for part in signature.split("|"):
        name, _, value = part.partition(":")
        words = _WORDS.get(name, name if value else "")
        if not words and "@" in name:
            words, value = "Scored by", name
        made.append(Parameter(words or name.replace("_", " "), name, value))
    return made
