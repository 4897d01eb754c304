"""How much slant takes of what users bring; past a limit there is one message, not a long wait.

`docs/limits.md` shows them as a table. They lie far above what audits need and well below what
would keep a machine busy for half a minute or fill its memory.
"""

from __future__ import annotations

TOML_BYTES = 1_000_000
"""Size of a TOML file."""

DEPLOYMENT_BYTES = 200_000
"""Size of a system prompt, and of a frame around questions."""

CELL_CHARACTERS = 16_000_000
"""Length of one value in a table."""

LINE_BYTES = 64_000_000
"""Length of one line of a table in JSON Lines, CSV or TSV."""

TABLE_ROWS = 10_000_000
"""Rows of a table."""

TABLE_CELLS = 20_000_000
"""Groups times prompts of a table that is measured; of a matrix of likelihoods, names times
descriptors times templates: each cell has a place in memory, whether it is filled or not."""

PARQUET_BYTES = 4_000_000_000
"""What a Parquet file holds when it is unpacked."""

LOG_BYTES = 200_000_000
"""Size of another tool's log in JSON, and of one part of a packed log when it is unpacked."""

CORPUS_BYTES = 500_000_000
"""Size of a corpus in SGML or XML, and of a text in a folder of texts."""

DOMAIN_BYTES = 20_000_000
"""Size of a file of fillers, and of a template file in CSV."""

PATTERN_CHARACTERS = 20_000
"""Length of a regular expression, its fragments put in."""

PATTERN_MEMORY = 8_000_000
"""Bytes that one compiled regular expression may take."""

OVERLAPS = 1_000
"""Overlapping stretches of a text that one `unless` pattern is looked for."""

FORM_SPELLINGS = 1_000
"""Spellings of one form of a lexicon."""

LEXICON_SPELLINGS = 50_000
"""Spellings of all forms of a lexicon."""

SUITE_STUDIES = 100
"""Studies of a suite."""

AXIS_GROUPS = 500
"""Groups of an axis, and of a table of outputs that is measured."""

AXIS_EXTENDS = 10
"""Files of axes that extend one another."""

TEMPLATE_EXAMPLES = 10_000_000
"""Ways to fill the slots of one template, before its constraint excludes any."""

COUNT = 1_000_000_000
"""Any whole number among the parameters of a study: samples, resamples, rounds."""

SEED = 2**63 - 1
"""The largest seed."""
