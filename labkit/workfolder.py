"""A learner's own copy of the series: laid, kept up to date, and never written over where the learner wrote."""

import errno
import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from labkit.whole_file import write_whole

LINK = re.compile(r"\]\(([^)\s#:]+)(?:#[^)\s]*)?\)|\bsrc(?:set)?=\\?\"([^\"\s#:\\]+)")
FOLLOWED = {".ipynb", ".md"}
MANIFEST = Path(".labkit", "laid.json")


@dataclass
class Laid:
    """What one visit did to the work folder, as paths inside it."""

    new: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    beside: list[tuple[str, str]] = field(default_factory=list)
    """A file the learner changed, and the name under which its newer edition was laid."""
    backed_up: list[tuple[str, str]] = field(default_factory=list)
    """A file laid anew on request, and the name under which the learner's own is kept."""

    def lines(self) -> list[str]:
        """What happened, for the learner; nothing when nothing did."""
        said = [f"laid {len(self.new)} new files"] if self.new else []
        said += [f"updated {name}: you had not changed it" for name in self.updated]
        said += [f"kept your {name}; the new edition is {other}" for name, other in self.beside]
        return said + [f"laid {name} anew; yours is {other}" for name, other in self.backed_up]


def lay(root: Path, work: Path, *, fresh: Iterable[str] = ()) -> Laid:
    """Copy the lessons under `root`, and what they link to, into `work`; say what was laid, updated and kept.

    A file is updated only while it is as it was laid. `fresh` names lessons to lay anew, each backed up first.
    NotANotebook, and nothing touched, when one of them is unknown.
    """
    asked = [lesson_named(root, word) for word in fresh]
    done = Laid()
    known = _read_manifest(work)
    for path in asked:
        _lay_anew(root, work, path, known, done)
    for path in series_files(root):
        _lay_one(root, work, path, known, done)
    write_whole(work / MANIFEST, json.dumps(known, indent=1, sort_keys=True).encode())
    return done


def lesson_named(root: Path, word: str) -> str:
    """The path of the lesson meant, as `chosen` has it; the path of a learner's own copy means its lesson."""
    from labkit.nbtools.notebook import NotANotebook, chosen  # here: to open the lab, no notebook is read

    (path,) = chosen([word], root / "notebooks")
    if not (root / "notebooks" / path.name).exists():
        raise NotANotebook(f"{word} is no lesson of this series")
    return f"notebooks/{path.name}"


def series_files(root: Path) -> list[str]:
    """The lessons, the glossary, and every file of the repository that one of them leads to by a link."""
    waiting = sorted([*(root / "notebooks").glob("*.ipynb"), *(root / "notebooks").glob("*.md")])
    found = {path.relative_to(root).as_posix(): None for path in waiting}
    while waiting:
        for path in _linked(root, waiting.pop(0)):
            name = path.relative_to(root).as_posix()
            if name not in found:
                found[name] = None
                waiting.append(path)
    return list(found)


def _linked(root: Path, path: Path) -> list[Path]:
    if path.suffix not in FOLLOWED:
        return []
    targets = [(path.parent / (a or b)).resolve() for a, b in LINK.findall(path.read_text(encoding="utf-8"))]
    return [target for target in targets if target.is_file() and target.is_relative_to(root.resolve())]


def _lay_one(root: Path, work: Path, name: str, known: dict[str, str], done: Laid) -> None:
    content = (root / name).read_bytes()
    target, newest = work / name, _digest(content)
    mine = _digest(target.read_bytes()) if target.exists() else None
    if mine is None:
        write_whole(target, content)
        done.new.append(name)
    elif mine == newest or known.get(name) == newest:
        pass  # it is there already, or the learner was told of this edition
    elif mine == known.get(name):
        write_whole(target, content)
        done.updated.append(name)
    else:
        done.beside.append((name, _lay_beside(work, target, content, known)))
    known[name] = newest


def _lay_beside(work: Path, target: Path, content: bytes, known: dict[str, str]) -> str:
    """The name in `work` of the newer edition; it takes the place of an older one that nobody changed."""
    other = target.with_name(f"{target.stem}.new{target.suffix}")
    if other.exists() and _digest(other.read_bytes()) == known.get(other.relative_to(work).as_posix()):
        write_whole(other, content)
    else:
        other = _write_beside(target, ".new", content)
    name = other.relative_to(work).as_posix()
    known[name] = _digest(content)
    return name


def _lay_anew(root: Path, work: Path, name: str, known: dict[str, str], done: Laid) -> None:
    target, content = work / name, (root / name).read_bytes()
    if target.exists() and target.read_bytes() != content:
        other = _write_beside(target, ".yours", target.read_bytes())
        write_whole(target, content)
        done.backed_up.append((name, other.relative_to(work).as_posix()))
    known[name] = _digest(content)


def _write_beside(path: Path, mark: str, content: bytes) -> Path:
    """Write under the first free name next to `path`, or leave it when such a file holds just that."""
    for number in range(1, 10_000):
        other = path.with_name(f"{path.stem}{mark}{'' if number == 1 else f'-{number}'}{path.suffix}")
        if not other.exists():
            write_whole(other, content)
            return other
        if other.read_bytes() == content:
            return other
    raise FileExistsError(errno.EEXIST, "it has 9,999 copies beside it; move some away", str(path))


def _read_manifest(work: Path) -> dict[str, str]:
    try:
        known = json.loads((work / MANIFEST).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    # When it is lost, nothing is known to be untouched, so nothing is written over.
    return known if isinstance(known, dict) else {}


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
