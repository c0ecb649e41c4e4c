"""The machinery that keeps every lesson true: run the notebooks, record them in one form, prove what is recorded."""

import sys

# jsonschema, which nbformat imports, would build a grammar for addresses in every language: 2 s for each process that
# reads a notebook, whose form has no address in it. jsonschema does without where it is not installed, and so here.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
