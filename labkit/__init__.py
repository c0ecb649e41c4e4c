"""labkit: the code that the retrieval labs teach, one idea a module; `docs/architecture.md` has the reading order."""

__version__ = "0.1.0"
