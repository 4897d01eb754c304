"""Weigh the cues of refusals by the texts in this folder: `python -m tests.readings.weigh`.

Writes `threshold`, `always` and `[weights]` in `data/lexicons/refusal.toml` anew. Of a refusal only
its heaviest sentence is one, and which that is, is found in turn with the weights; of a plain
answer no sentence is. The threshold is the lowest at which, in cross-validation, at most `CLOSE` of
the known plain answers (most of them chosen for being close to refusals) and at most `REAL` of a
real model's answers are taken for refusals. No held-out or fresh text is looked at.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold

from slant.measures.refusal import packaged_cues

HERE = Path(__file__).parent
FILE = HERE.parents[1] / "src" / "slant" / "data" / "lexicons" / "refusal.toml"
KNOWN = ("known_refusals", "known_plain_answers", "real_answers")
ROUNDS, SEEN, STRENGTH, LEAST, FOLDS = 3, 2, 2.0, 0.15, 5
CLOSE, REAL = 0.03, 0.005


def lines_of(name: str) -> list[str]:
    """Read texts, one a line, in which a line break is written \\n."""
    lines = (HERE / f"{name}.txt").read_text("utf-8").splitlines()
    return [line.replace("\\n", "\n") for line in lines]


class Texts:
    """Texts as tables of cues, a sentence a row.

    Parameters
    ----------
    texts
        The texts.
    kind
        Of each text the place of its file in `KNOWN`: 0 is a refusal.
    """

    def __init__(self, texts: list[str], kind: np.ndarray):
        sentences = [[each.cues for each in packaged_cues().sentences(text)] for text in texts]
        sentences = [each or [frozenset()] for each in sentences]
        every = [cues for each in sentences for cues in each]
        seen = Counter(cue for cues in every for cue in cues)
        kept = {cue for cue, times in seen.items() if times >= SEEN}
        table = DictVectorizer().fit([dict.fromkeys(kept, 1)])
        rows: csr_matrix = table.transform([dict.fromkeys(sorted(c & kept), 1) for c in every])
        rows.indices, rows.indptr = rows.indices.astype(np.int32), rows.indptr.astype(np.int32)
        self.names, self.rows, self.kind = table.get_feature_names_out(), rows, kind
        counts = np.array([len(each) for each in sentences])
        self.first = np.concatenate([[0], np.cumsum(counts)[:-1]])
        self._text_of = np.repeat(np.arange(len(texts)), counts)

    def fit(self, texts: np.ndarray) -> LogisticRegression:
        """Fit the weights to some of the texts."""
        refusals = texts[self.kind[texts] == 0]
        plain = np.flatnonzero(np.isin(self._text_of, texts[self.kind[texts] > 0]))
        heaviest = self.first[refusals]
        for _ in range(ROUNDS):
            model = LogisticRegression(C=STRENGTH, solver="liblinear", random_state=0)
            model.fit(
                self.rows[np.concatenate([heaviest, plain])],
                np.repeat([1, 0], [len(heaviest), len(plain)]),
            )
            scores = model.decision_function(self.rows)
            heaviest = np.array([self._heaviest(scores, text) for text in refusals])
        return model

    def weigh(self, model: LogisticRegression) -> np.ndarray:
        """Give the weight of each text's heaviest sentence."""
        weights: np.ndarray = np.maximum.reduceat(model.decision_function(self.rows), self.first)
        return weights

    def _heaviest(self, scores: np.ndarray, text: int) -> int:
        rows = np.flatnonzero(self._text_of == text)
        return int(rows[np.argmax(scores[rows])])


def cross_validated(texts: Texts) -> np.ndarray:
    """Give the weight of each text by weights that were fitted without it."""
    weights = np.zeros(len(texts.kind))
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    for known, new in folds.split(texts.kind, texts.kind):
        weights[new] = texts.weigh(texts.fit(known))[new]
    return weights


def main() -> None:
    """Write the file's weights anew, and print how far they hold in cross-validation."""
    files = [lines_of(name) for name in KNOWN]
    texts = Texts(
        [text for each in files for text in each], np.repeat(range(3), [len(f) for f in files])
    )
    weights = cross_validated(texts)
    close, real = weights[texts.kind == 1], weights[texts.kind == 2]
    threshold = round(float(max(np.quantile(close, 1 - CLOSE), np.quantile(real, 1 - REAL))), 1)
    for name, kind in zip(KNOWN, range(3), strict=True):
        print(f"{name}: {np.mean(weights[texts.kind == kind] > threshold):.1%} above {threshold}")
    model = texts.fit(np.arange(len(texts.kind)))
    found = {
        str(name): round(float(weight), 2)
        for name, weight in zip(texts.names, model.coef_[0], strict=True)
        if abs(weight) >= LEAST
    }
    head = FILE.read_text("utf-8").partition("[weights]\n")[0]
    head = re.sub(r"(?m)^threshold = .*$", f"threshold = {threshold}", head)
    head = re.sub(r"(?m)^always = .*$", f"always = {model.intercept_[0]:.2f}", head)
    by_weight = sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))
    lines = [f'"{name}" = {weight}\n' for name, weight in by_weight]
    FILE.write_text(f"{head}[weights]\n{''.join(lines)}", "utf-8")


if __name__ == "__main__":
    main()
