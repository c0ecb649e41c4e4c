"""What a recorded notebook must be before anything is run: every cell run in order, nothing kept but its meaning."""

import re
from collections import Counter
from collections.abc import Iterator

from labkit.nbtools.finding import Problem
from labkit.nbtools.notebook import Lesson, short_id, spelled, tags
from labkit.nbtools.recorded import FOLDS, METADATA
from labkit.nbtools.series import Series

TAGS = {"setup", "predict", "outcome", "hide-output", "stub", "solution", "hide-input", "traceback"}
FLAGS = {"source_hidden", "outputs_hidden"}
EXCUSES = re.compile(r"(nbval|pytest_validate)[-_][a-z-_]+|raises[-_]exception", re.IGNORECASE)


def every_cell_run(lesson: Lesson) -> Iterator[Problem]:
    """Every code cell holds code and was run: nbval passes over a cell without a counter."""
    for cell in lesson.code_cells:
        if not cell.source.strip():
            yield Problem("a code cell is empty", cell)
        elif cell.execution_count is None:
            yield Problem("this cell was not run", cell, "a counter", "none")


def counters(lesson: Lesson) -> Iterator[Problem]:
    """Counters are 1, 2, 3 … in order, and a value carries its cell's: a fresh kernel ran the cells from the top."""
    for wanted, cell in enumerate(lesson.code_cells, 1):
        seen = [cell.execution_count, *(out.execution_count for out in cell.outputs if "execution_count" in out)]
        wrong = [count for count in seen if count is not None and count != wanted]
        if wrong:
            yield Problem("the counter is out of order", cell, str(wanted), str(wrong[0]))


def cell_ids(lesson: Lesson) -> Iterator[Problem]:
    """Every cell has an id of its own: links, marks and reports name cells by it."""
    counted = Counter(cell.get("id") for cell in lesson.cells)
    for cell in lesson.cells:
        if not cell.get("id") and lesson.node.nbformat_minor >= 5:  # older formats have none
            yield Problem("the cell has no id", cell)
        elif cell.get("id") and counted[cell.id] > 1:
            yield Problem("two cells have the same id", cell, "an id of its own", cell.id)


def lesson_ids(lesson: Lesson, _series: Series) -> Iterator[Problem]:
    """A lesson's ids are its name and a number: `01_canonical-07`."""
    for cell in lesson.cells:
        if not re.fullmatch(rf"{re.escape(lesson.stem)}-\d\d+", cell.get("id", "")):
            yield Problem("the id has not the lesson's form", cell, f"{lesson.stem}-NN", cell.get("id", ""))
    if lesson.cells and short_id(lesson.cells[0]) != f"{lesson.number}-01":
        yield Problem("the opening cell has another id", lesson.cells[0], f"{lesson.stem}-01", lesson.cells[0].id)


def notebook_metadata(lesson: Lesson, _series: Series) -> Iterator[Problem]:
    """The notebook's metadata is the fixed kernel name and language, nothing of a machine or an editor."""
    if lesson.node.metadata != METADATA:
        yield Problem(
            "the notebook's metadata differ from the fixed ones", None, str(METADATA), str(lesson.node.metadata)
        )
    if lesson.node.nbformat_minor != 5:
        yield Problem("the notebook has another format", None, "4.5", f"4.{lesson.node.nbformat_minor}")


def cell_metadata(lesson: Lesson, _series: Series) -> Iterator[Problem]:
    """A cell's metadata are known tags and the two flags that fold it; outputs carry none."""
    for cell in lesson.cells:
        for found in [
            *(key for key in cell.metadata if key not in ("tags", "jupyter")),
            *(f"jupyter.{flag}" for flag in cell.metadata.get("jupyter", {}) if flag not in FLAGS),
            *(f"tag {tag}" for tag in tags(cell) if tag not in TAGS),
            *(f"output metadata {key}" for out in cell.get("outputs", ()) for key in out.get("metadata", ())),
            *("attachments" for _ in [1] if cell.get("attachments")),
        ]:
            yield Problem("metadata that a lesson does not keep", cell, "known tags and folds", found)


def folded_cells(lesson: Lesson, _series: Series) -> Iterator[Problem]:
    """What would give an answer away is saved folded: outcomes hide outputs, solutions source, no other cell does."""
    for cell in lesson.cells:
        for tag, (site, flag) in FOLDS.items():
            wanted = tag in tags(cell)
            found = (site in tags(cell), cell.metadata.get("jupyter", {}).get(flag))
            if found != (wanted, True if wanted else None):
                yield Problem(
                    f"a cell {'with' if wanted else 'without'} the tag {tag}",
                    cell,
                    _fold(wanted, site, flag),
                    _shown(found),
                )


def excuses(lesson: Lesson) -> Iterator[Problem]:
    """No tag and no comment tells nbval to look away."""
    for cell in lesson.code_cells:
        comments = [line for line in cell.source.splitlines() if line.strip().startswith("#")]
        for text in [*tags(cell), *comments]:
            if excuse := EXCUSES.search(text):
                yield Problem("the cell asks not to be checked", cell, "no excuse", excuse[0])


def file_form(lesson: Lesson, _series: Series) -> Iterator[Problem]:
    """The file is spelled as the regenerator spells it, so that a change shows as that change only."""
    if lesson.text != spelled(lesson.node):
        yield Problem("the file is not spelled as `labkit regenerate` does; `--format-only` repairs it")


def _fold(wanted: bool, site: str, flag: str) -> str:  # noqa: FBT001 - one of two texts
    return f"{'' if wanted else 'neither '}tag {site} {'and' if wanted else 'nor'} jupyter.{flag}"


def _shown(found: tuple[bool, bool | None]) -> str:
    return f"tag {'there' if found[0] else 'missing'}, flag {found[1]}"
