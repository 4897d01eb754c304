"""Weigh the cues of refusals by the texts in this folder: `python -m tests.readings.weigh`.

Writes `[weights]` and `always` in `data/lexicons/refusal.toml` anew. Of a refusal only its heaviest
sentence is one, and which that is, is found in turn with the weights; of a plain answer no sentence
is. The held-out texts are not looked at.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix, vstack
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from slant.measures.refusal import packaged_cues

HERE = Path(__file__).parent
FILE = HERE.parents[1] / "src" / "slant" / "data" / "lexicons" / "refusal.toml"
ROUNDS, SEEN, STRENGTH, LEAST = 4, 3, 2.0, 0.2


def lines_of(name: str) -> list[str]:
    """Read texts, one a line, in which a line break is written \\n."""
    lines = (HERE / f"{name}.txt").read_text("utf-8").splitlines()
    return [line.replace("\\n", "\n") for line in lines]


def weights(refusals: list[str], answers: list[str]) -> tuple[float, dict[str, float]]:
    """Fit `always` and the weight of each cue."""
    sentences = packaged_cues().sentences
    refused = [[each.cues for each in sentences(text)] for text in refusals]
    plain = [each.cues for text in answers for each in sentences(text)]
    seen = Counter(cue for cues in [*plain, *(c for text in refused for c in text)] for cue in cues)
    table = DictVectorizer()
    kept = {cue for cue, times in seen.items() if times >= SEEN}
    table.fit([dict.fromkeys(kept, 1)])

    def rows(of: list[frozenset[str]]) -> csr_matrix:
        found: csr_matrix = table.transform([dict.fromkeys(sorted(cues & kept), 1) for cues in of])
        return found

    texts, negative = [rows(text) for text in refused], rows(plain)
    heaviest = [text[0] for text in texts]
    for _ in range(ROUNDS):
        model = LogisticRegression(
            C=STRENGTH, penalty="l2", solver="liblinear", max_iter=5000, random_state=0
        ).fit(vstack([*heaviest, negative]), [1] * len(heaviest) + [0] * len(plain))
        heaviest = [text[int(np.argmax(model.decision_function(text)))] for text in texts]
    found = {
        name: round(float(weight), 2)
        for name, weight in zip(table.get_feature_names_out(), model.coef_[0], strict=True)
        if abs(weight) >= LEAST
    }
    return round(float(model.intercept_[0]), 2), found


def main() -> None:
    """Write the file's weights anew."""
    plain = lines_of("known_plain_answers") + lines_of("real_answers")
    always, found = weights(lines_of("known_refusals"), plain)
    head = FILE.read_text("utf-8").partition("[weights]\n")[0]
    head = re.sub(r"(?m)^always = .*$", f"always = {always}", head)
    by_weight = sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))
    lines = [f'"{name}" = {weight}\n' for name, weight in by_weight]
    FILE.write_text(f"{head}[weights]\n{''.join(lines)}", "utf-8")


if __name__ == "__main__":
    main()
