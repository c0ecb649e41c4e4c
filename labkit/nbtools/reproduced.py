"""Whether what is recorded still comes out: our own comparison, of what nbval passes over and of what it sees."""

from collections.abc import Callable, Iterator

from nbformat import NotebookNode

from labkit.nbtools.executed import Executed
from labkit.nbtools.finding import Problem
from labkit.nbtools.marks import CLAIM, claimed_lesson, claims
from labkit.nbtools.notebook import Lesson, tags
from labkit.nbtools.output_fields import agree, field, shown_text
from labkit.nbtools.series import Series

PICTURES = ("image/svg+xml", "image/png", "image/jpeg", "application/pdf")


def cell_runs(lesson: Lesson, run: Executed) -> Iterator[Problem]:
    """Every cell ends well: no error, in time, with its kernel alive."""
    if run.whole.reason:
        yield Problem("the cell does not run", lesson.cells[len(run.whole.cells) - 1], "no error", run.whole.reason)


def nbval_agrees(lesson: Lesson, run: Executed) -> Iterator[Problem]:
    """nbval, strict, finds nothing: what it compares comes out as recorded."""
    for complaint in run.complaints:
        cell = lesson.code_cells[complaint.code_cell] if complaint.code_cell is not None else None
        if cell is None or "traceback" not in tags(cell):  # nbval knows no such tag; `error-text` compares those
            yield Problem("nbval does not accept the cell", cell, "", complaint.text)


def output_count(lesson: Lesson, run: Executed) -> Iterator[Problem]:
    """A cell gives as many outputs as are recorded."""
    for cell, now in _ran(lesson, run):
        if len(cell.outputs) != len(now.outputs):
            yield Problem("another number of outputs", cell, _kinds(cell), _kinds(now))


def output_order(lesson: Lesson, run: Executed) -> Iterator[Problem]:
    """Outputs come in the recorded order, value after text or text after value."""
    for cell, now in _ran(lesson, run):
        if len(cell.outputs) == len(now.outputs) and _kinds(cell) != _kinds(now):
            yield Problem("other outputs, or in another order", cell, _kinds(cell), _kinds(now))


def output_forms(lesson: Lesson, run: Executed) -> Iterator[Problem]:
    """Each output has the recorded forms, no more and no fewer: text, HTML, picture."""
    for cell, old, new in _outputs(lesson, run):
        if sorted(old.get("data", ())) != sorted(new.get("data", ())):
            yield Problem("an output has other forms", cell, ", ".join(sorted(old.data)), ", ".join(sorted(new.data)))


def plain_text(lesson: Lesson, run: Executed) -> Iterator[Problem]:
    """The plain text of each output comes out as recorded."""
    yield from _compared(lesson, run, "another text comes out", lambda out: [_data(out, "text/plain")])


def rich_text(lesson: Lesson, run: Executed) -> Iterator[Problem]:
    """HTML, Markdown and every other written form come out as recorded, so that all readers are told the same."""

    def written(out: NotebookNode) -> list[str]:
        kinds = sorted(kind for kind in out.get("data", ()) if kind not in ("text/plain", *PICTURES))
        return [_data(out, kind) for kind in kinds]

    yield from _compared(lesson, run, "another rich text comes out", written)


def pictures(lesson: Lesson, run: Executed) -> Iterator[Problem]:
    """Pictures come out as recorded, byte for byte."""
    yield from _compared(lesson, run, "another picture comes out", lambda out: [_data(out, kind) for kind in PICTURES])


def stream_text(lesson: Lesson, run: Executed) -> Iterator[Problem]:
    """What is written to stdout and stderr comes out as recorded."""
    yield from _compared(lesson, run, "another text is written", lambda out: [str(out.get("text", ""))])


def error_text(lesson: Lesson, run: Executed) -> Iterator[Problem]:
    """A deliberate traceback has the recorded error and message."""
    yield from _compared(lesson, run, "another error", lambda out: [out.get("ename", ""), out.get("evalue", "")])


def number_wrong(lesson: Lesson, series: Series, run: Executed) -> Iterator[Problem]:
    """A marked number in prose is what its output shows now, rounded to the digits given."""
    for marked in claims(lesson):
        cell = _claimed_cell(lesson, series, run, marked.claim)
        if cell is None:
            continue  # `mark-form` or `cell-runs` has said so
        name = CLAIM.fullmatch(marked.claim)["field"]  # type: ignore[index]
        try:
            value = field(shown_text(cell), name)
        except LookupError as error:
            yield Problem(f"the mark behind {marked.number} finds nothing", marked.cell, marked.claim, str(error))
            continue
        if not agree(marked.number, value):
            yield Problem("a number in prose is not what its output shows", marked.cell, str(value), marked.number)


def _claimed_cell(lesson: Lesson, series: Series, run: Executed, claim: str) -> NotebookNode | None:
    found = CLAIM.fullmatch(claim)
    source = claimed_lesson(lesson, series, claim) if found else None
    cell = source.cell(found["cell"]) if found and source else None
    if cell is None or cell.cell_type != "code":
        return None
    # Another lesson's numbers are read as recorded: its own gate proves them.
    return next((now for old, now in _ran(lesson, run) if old is cell), None) if source is lesson else cell


def _ran(lesson: Lesson, run: Executed) -> Iterator[tuple[NotebookNode, NotebookNode]]:
    """Each code cell as recorded and as it ran; the one that did not end well is left out."""
    ended = run.whole.cells[:-1] if run.whole.reason else run.whole.cells
    for cell, now in zip(lesson.cells, ended, strict=False):
        if cell.cell_type == "code":
            yield cell, now


def _outputs(lesson: Lesson, run: Executed) -> Iterator[tuple[NotebookNode, NotebookNode, NotebookNode]]:
    """The cell, its recorded output and its new one, where there are equally many of the same kinds."""
    for cell, now in _ran(lesson, run):
        if _kinds(cell) == _kinds(now):
            for old, new in zip(cell.outputs, now.outputs, strict=True):
                yield cell, old, new


def _compared(
    lesson: Lesson, run: Executed, message: str, texts: Callable[[NotebookNode], list[str]]
) -> Iterator[Problem]:
    for cell, old, new in _outputs(lesson, run):
        if sorted(old.get("data", ())) == sorted(new.get("data", ())) and texts(old) != texts(new):
            pairs = zip(texts(old), texts(new), strict=True)
            was, now = next((was, now) for was, now in pairs if was != now)
            yield Problem(message, cell, was, now)


def _kinds(cell: NotebookNode) -> str:
    return ", ".join(out.get("name", out.output_type) for out in cell.outputs) or "none"


def _data(out: NotebookNode, kind: str) -> str:
    return str(out.get("data", {}).get(kind, ""))
