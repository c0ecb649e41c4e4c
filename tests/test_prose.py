"""What holds for prose."""

import pytest
from nbformat.v4 import new_output
from sample_series import good_lesson, notebook

from labkit.nbtools.notebook import Lesson
from labkit.nbtools.prose import alt_text, dead_link, empty_words, heading_jump, numbered_link
from labkit.nbtools.series import Series

SERIES = Series.of_this_checkout()


@pytest.fixture
def linking(tmp_path):
    """Whether a link in the sample leads nowhere."""
    good_lesson().lay(tmp_path)

    def dead(target):
        lesson = notebook(("md", f"# Here `too`\n\n[a]({target})"))
        return bool(list(dead_link(Lesson(tmp_path / "notebooks" / "90_sample.ipynb", lesson.text, lesson.node))))

    return dead


@pytest.mark.parametrize(
    "target",
    [
        "01_first.ipynb",
        "01_first.ipynb#A-first-section",
        "01_first.ipynb#a-first-section",
        "../README.md#lessons",
        "glossary.md#Glossary",
        "https://example.org/gone",
        "mailto:a@example.org",
        "../tests/test_sample.py",
        "..",
    ],
)
def test_link_leads_somewhere(linking, target):
    assert not linking(target)


@pytest.mark.parametrize(
    "target", ["00_none.ipynb", "01_first.ipynb#First", "../README.md#lesson", "bars.svg#top", "#nowhere", "README.md"]
)
def test_link_leads_nowhere(linking, target):
    assert linking(target)


@pytest.mark.parametrize(
    ("link", "misleads"),
    [
        ("[05](05_eligible.ipynb)", False),
        ("[05 Filter](05_eligible.ipynb#Words)", False),
        ("[← 05 Filter](05_eligible.ipynb)", False),
        ("[05](https://example.org/06)", False),
        ("[2021](06_handles.ipynb)", False),
        ("[05](06_handles.ipynb)", True),
        ("[← 05 Filter](06_handles.ipynb)", True),
    ],
)
def test_link_that_says_a_lesson_s_number_leads_to_that_lesson(link, misleads):
    assert bool(list(numbered_link(notebook(("md", link)), SERIES))) is misleads


@pytest.mark.parametrize(
    ("html", "speaks"),
    [
        ("<svg><title>Two bars</title></svg>", True),
        ('<svg role="img" aria-label="Two bars"></svg>', True),
        ('<img src="a.png" alt="Two bars">', True),
        ("<svg><rect/><title>too late</title></svg>", False),
        ('<img src="a.png" alt="">', False),
        ('<svg role="img"></svg>', False),
        ("<table></table>", True),
    ],
)
def test_picture_in_an_output_says_what_it_shows(html, speaks):
    lesson = notebook(("code", "x"))
    lesson.cells[0].outputs = [new_output("execute_result", {"text/plain": "x", "text/html": html})]

    assert (not list(alt_text(lesson))) is speaks


@pytest.mark.parametrize(
    ("levels", "jumps"), [("123223", False), ("13", True), ("124", True), ("12321", False), ("2", True)]
)
def test_headings_go_down_one_level_at_a_time(levels, jumps):
    cells = [("md", f"{'#' * int(level)} Title") for level in levels]

    assert bool(list(heading_jump(notebook(*cells)))) is jumps


def test_words_that_belittle_are_told_but_not_in_code():
    found = [
        problem.got for problem in empty_words(notebook(("md", "Simply run it, `just` so. Adjust. Obviously.")), SERIES)
    ]

    assert found == ["Simply", "Obviously"]
