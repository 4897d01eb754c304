"""Templates: questions with slots, filled from domains under constraints.

`domain` is what fills a slot, `constraint` the language of conditions, `statement` the text with
its slots, `template` a template with its label and its negation. `template_file` reads slant's own
TOML and `apes_files` the files of APES; `expansion` turns templates into examples, one by one, and
`lint` says what is doubtful about them.
"""

from slant.templates.load import load_templates, template_sets
from slant.templates.template import Pair, Template, TemplateSet

__all__ = ["Pair", "Template", "TemplateSet", "load_templates", "template_sets"]
