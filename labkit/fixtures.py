"""Data that a lesson stands on: read strictly, checked against its pinned hash, handed out fresh.

The files stand in `fixtures/`; a wheel carries them as `labkit/data`. After a change to one of them,
`python -m labkit.fixtures` pins the hashes anew.
"""

import hashlib
import json
import math
from collections.abc import Callable
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from labkit.errors import ConfigError
from labkit.whole_file import write_whole

MANIFEST = "MANIFEST.json"
REPOSITORY = Path(__file__).parent.parent / "fixtures"


def read_fixture(name: str) -> Any:
    """The value in one fixture, a fresh one on each call; ConfigError when its bytes are not the pinned ones."""
    content = _content(name)
    pinned = _strictly(MANIFEST, _content(MANIFEST))["sha256"].get(name)
    if hashlib.sha256(content).hexdigest() != pinned:
        raise ConfigError("broken_fixture", f"{name}: its SHA-256 is not the one pinned in {MANIFEST}")
    return _strictly(name, content)


def strict_json(text: str | bytes, *, parse_int: Callable[[str], int] = int) -> Any:
    """The one value that JSON text says; ValueError for a key said twice, and for a number that is not finite.

    `parse_int` is given the digits of each integer; what it raises is raised.
    """
    hooks: dict[str, Any] = {"object_pairs_hook": _object, "parse_constant": _constant, "parse_float": _finite}
    return json.loads(text, parse_int=parse_int, **hooks)


def renew_manifest(folder: Path = REPOSITORY) -> None:
    """Pin the SHA-256 of every JSON file in the folder, by name and in order."""
    paths = [path for path in folder.rglob("*.json") if path.name != MANIFEST]
    named = {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}
    about = "SHA-256 of each fixture; `python -m labkit.fixtures` renews them after a change."
    text = json.dumps({"about": about, "sha256": dict(sorted(named.items()))}, indent=2)
    write_whole(folder / MANIFEST, f"{text}\n".encode())


def _folder() -> Traversable:
    carried = files("labkit") / "data"
    return carried if carried.is_dir() else REPOSITORY  # an editable install reads the repository's own folder


def _content(name: str) -> bytes:
    try:
        return _folder().joinpath(*name.split("/")).read_bytes()
    except OSError:
        raise ConfigError("broken_fixture", f"{name}: cannot be read; wanted a file in fixtures/") from None


def _strictly(name: str, content: bytes) -> Any:
    try:
        return strict_json(content)
    except (ValueError, RecursionError) as error:
        raise ConfigError("broken_fixture", f"{name}: {error}") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("an object with a key said twice; wanted each key once")
    return found


def _constant(word: str) -> Any:
    raise ValueError(f"{word} is no JSON number")


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError("a number too large for a float; wanted a finite one")
    return number


if __name__ == "__main__":
    renew_manifest()
