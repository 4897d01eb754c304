"""Who asked for an audit and what for, line by line, for documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.reports.safe_text import one_line

if TYPE_CHECKING:
    from slant.reports.about import About


def audit_words(about: About) -> list[tuple[str, str]]:
    """List what is known of an audit: a term and what is said of it, in plain text."""
    said = about.audit
    told = [
        ("Organisation", said.organisation),
        ("Auditor", said.auditor),
        ("Purpose", said.purpose),
        ("Deployment", said.deployment),
        *(("Left out", f"{each.what}: {each.why}") for each in said.left_out),
        *(("Changed since slant wrote it", name) for name in about.changed),
    ]
    return [(term, one_line(words, 1000)) for term, words in told if words]
