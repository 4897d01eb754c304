"""What people ruled blind: what a judge's errors are known by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.annotations.labels import agreed_labels, latest

if TYPE_CHECKING:
    from slant.annotations.ledger import Ledger
    from slant.studies.judge_correction import Rulings


def blind_rulings(ledger: Ledger) -> Rulings:
    """Give labels on answers drawn at random, made with the score hidden, as most people say."""
    agreed = agreed_labels(latest(ledger.lines, sampled=True))
    return {key: (each.item, each.label) for key, each in agreed.items() if each.label is not None}
