"""What a learner predicted and solved, in one local file that git ignores.

`LABKIT_PROGRESS` names the file; without it, `.labkit_progress.json` in the notebook's folder.
"""

import contextlib
import json
import os
import tempfile
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

DEFAULT_NAME = ".labkit_progress.json"


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
    """What the file holds; an unreadable one is set aside as `….broken`, never overwritten, and a new one begun."""
    path = path or progress_path()
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        predictions = {id_: Predicted(**row) for id_, row in kept["predictions"].items()}
        return Progress(predictions, dict(kept["passed"]))
    except FileNotFoundError:
        return Progress()
    except (ValueError, KeyError, TypeError, AttributeError):
        os.replace(path, path.with_name(path.name + ".broken"))
        return Progress()


def save_progress(progress: Progress, path: Path | None = None) -> None:
    """Replace the file in one step: a reader sees the old one or the new one, never a half.

    A folder that cannot be written to keeps nothing, and the lesson goes on.
    """
    path = path or progress_path()
    text = json.dumps({"schema_version": 1, **asdict(progress)}, indent=1, sort_keys=True)
    with contextlib.suppress(PermissionError):
        handle, beside = tempfile.mkstemp(dir=path.parent, prefix=path.name)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text + "\n")
        os.replace(beside, path)
