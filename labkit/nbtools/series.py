"""The series a notebook belongs to: its folder, its order, and what its lessons point at."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from labkit.nbtools.notebook import NOTEBOOK, Lesson, NotANotebook, read_lesson


@dataclass(frozen=True)
class Series:
    """The lessons under one root, which also holds their tests and their README."""

    root: Path

    @classmethod
    def of_this_checkout(cls) -> "Series":
        """The series that this labkit was installed from."""
        return cls(Path(__file__).resolve().parents[2])

    @property
    def folder(self) -> Path:
        """Where the lessons are."""
        return self.root / "notebooks"

    @cached_property
    def lessons(self) -> tuple[Path, ...]:
        """Every lesson, in the order they are read."""
        return tuple(sorted(path for path in self.folder.glob("*.ipynb") if NOTEBOOK.fullmatch(path.stem)))

    @cached_property
    def glossary(self) -> tuple[str, ...]:
        """The lines of the glossary; none when there is no such file."""
        path = self.folder / "glossary.md"
        return tuple(path.read_text(encoding="utf-8").splitlines()) if path.exists() else ()

    def holds(self, path: Path) -> bool:
        """Whether this notebook is one of the lessons."""
        return path.resolve().parent == self.folder.resolve() and bool(NOTEBOOK.fullmatch(path.stem))

    def numbered(self, number: str) -> Path | None:
        """The lesson with this two-digit number, or None."""
        return next((path for path in self.lessons if path.name.startswith(f"{number}_")), None)

    def lesson(self, number: str) -> Lesson | None:
        """The content of the lesson with this number; None when there is none, or it cannot be read."""
        path = self.numbered(number)
        try:
            return read_lesson(path) if path else None
        except NotANotebook:
            return None
