"""What a learner predicted and solved, in one local file that git ignores.

`LABKIT_PROGRESS` names the file; without it, `.labkit_progress.json` in the notebook's folder.
"""

import contextlib
import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from labkit.whole_file import write_whole

DEFAULT_NAME = ".labkit_progress.json"
_unwritten: dict[Path, str] = {}
"""What the files would hold, had it been possible to write them."""


@dataclass
class Predicted:
    """One prediction: `first` is the answer that counts, fixed when the outcome is first seen; `answer` is today's."""

    rule: str
    answer: str
    first: str = ""
    right: bool | None = None


@dataclass
class Progress:
    """All that is kept, by id: predictions, and the rule of each exercise passed."""

    predictions: dict[str, Predicted] = field(default_factory=dict)
    passed: dict[str, str] = field(default_factory=dict)

    def score(self) -> list[dict[str, Any]]:
        """One row a rule that was predicted: how many first answers were right, of how many."""
        counted: dict[str, list[bool]] = {}
        for predicted in self.predictions.values():
            if predicted.right is not None:
                counted.setdefault(predicted.rule, []).append(predicted.right)
        return [{"rule": rule, "right": sum(rights), "of": len(rights)} for rule, rights in sorted(counted.items())]


def progress_path() -> Path:
    """The file in use: `LABKIT_PROGRESS`, or the default name in the current folder."""
    return Path(os.environ.get("LABKIT_PROGRESS") or DEFAULT_NAME)


def load_progress(path: Path | None = None) -> Progress:
    """What the file holds, and what could not be written to it since this kernel began.

    A file that cannot be read or understood is set aside as `….broken`, never overwritten, and a new one begun.
    """
    path = path or progress_path()
    kept = _read(path)
    if unwritten := _unwritten.get(path.absolute()):
        held = _understood(unwritten)
        kept = Progress(kept.predictions | held.predictions, kept.passed | held.passed)
    return kept


def save_progress(progress: Progress, path: Path | None = None) -> str:
    """Replace the file in one step; nothing is returned, or where it cannot be written, a sentence that says so.

    What could not be written is remembered until the kernel ends, and the lesson goes on.
    """
    path = path or progress_path()
    text = json.dumps({"schema_version": 1, **asdict(progress)}, indent=1, sort_keys=True)
    try:
        write_whole(path, f"{text}\n".encode())
    except OSError as error:
        _unwritten[path.absolute()] = text
        return f"This counts until the kernel is restarted: it cannot be kept in `{path}` ({error.strerror or error})."
    _unwritten.pop(path.absolute(), None)
    return ""


def _read(path: Path) -> Progress:
    try:
        return _understood(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Progress()
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        with contextlib.suppress(OSError):  # where nothing can be moved, nothing can be saved, which is told then
            if path.is_file():  # a folder, say, was named by mistake: it is no file of ours
                os.replace(path, path.with_name(path.name + ".broken"))
        return Progress()


def _understood(text: str) -> Progress:
    kept = json.loads(text)
    predictions = {id_: Predicted(**row) for id_, row in kept["predictions"].items()}
    said = [part for each in predictions.values() for part in (each.rule, each.answer, each.first)]
    if not all(isinstance(part, str) for part in [*said, *kept["passed"].values()]):
        raise TypeError("rules and answers are text")
    if not {each.right for each in predictions.values()} <= {None, True, False}:
        raise TypeError("an answer is right, wrong or not looked at")
    return Progress(predictions, dict(kept["passed"]))
