"""What a person sees while notebooks run."""

import io

from rich.console import Console

from labkit.nbtools.notebook import read_lesson
from labkit.nbtools.onlooker import Onlooker
from labkit.nbtools.regenerate import Regenerated


def watched(results, **console):
    """What is written while these results come in, at 80 columns."""
    seen = io.StringIO()
    screen = Console(file=seen, width=80, **console)
    with Onlooker(screen, [result.lesson for result in results], changed="would change") as onlooker:
        for result in results:
            for _ in result.lesson.cells:
                onlooker.cell_done()
            onlooker.lesson_done(result)
    return seen.getvalue()


def test_where_nobody_watches_there_is_one_line_a_notebook_and_one_a_change(notebook_file):
    tiny, other = (read_lesson(notebook_file("# [b]A[/b]", "1", name=name)) for name in ("05_tiny", "06_longer_name"))

    seen = watched(
        [
            Regenerated(tiny, 1.25),
            Regenerated(other, 10.0, changes=("06_longer_name-02: outputs",)),
            Regenerated(tiny, 0.5, failure="cell 05_tiny-02: no"),
        ]
    )

    assert seen.splitlines() == [
        "05_tiny         same            1.2 s",
        "06_longer_name  would change   10.0 s",
        "    06_longer_name-02: outputs",
        "05_tiny         failed          0.5 s",
    ]


def test_many_changes_are_cut_short_and_counted(notebook_file):
    lesson = read_lesson(notebook_file("# A"))

    seen = watched([Regenerated(lesson, 1, changes=tuple(f"05_tiny-{n:02d}: outputs" for n in range(1, 41)))])

    assert seen.splitlines()[-2:] == ["    05_tiny-08: outputs", "    and 32 more"]


def test_on_a_terminal_a_bar_counts_the_cells_and_leaves_the_lines_alone(notebook_file):
    lesson = read_lesson(notebook_file("# A", "1", "2"))

    seen = watched([Regenerated(lesson, 1)], force_terminal=True)

    assert "3/3" in seen
    assert "05_tiny  same" in seen
