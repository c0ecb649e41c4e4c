"""What holds for prose."""

import pytest
from nbformat.v4 import new_output
from sample_series import good_lesson, notebook

from labkit.nbtools.notebook import Lesson
from labkit.nbtools.prose import alt_text, bold_once, dead_link, empty_words, glossary, heading_jump, numbered_link
from labkit.nbtools.series import Series

SERIES = Series.of_this_checkout()


@pytest.fixture
def linking(tmp_path):
    """Whether a link in the sample leads nowhere."""
    good_lesson().lay(tmp_path)
    (tmp_path / "notebooks" / "broken.ipynb").write_text("{")
    (tmp_path / "notebooks" / "coded.ipynb").write_text(notebook(("code", "# Not a heading")).text)

    def dead(target):
        lesson = notebook(("md", f"# Here `too`\n\n[a]({target})"))
        return bool(list(dead_link(Lesson(tmp_path / "notebooks" / "90_sample.ipynb", lesson.text, lesson.node))))

    return dead


@pytest.mark.parametrize(
    "target",
    [
        "01_first.ipynb",
        "01_first.ipynb#A-first-section",
        "#Words",
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
    "target",
    [
        "00_none.ipynb",
        "01_first.ipynb#First",
        "../README.md#lesson",
        "bars.svg#top",
        "#nowhere",
        "README.md",
        "broken.ipynb#x",
        "coded.ipynb#Not-a-heading",
    ],
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
        ('<svg role="img" aria-labelledby="bars"></svg>', True),
        ("<SVG ALT = 'Two bars'></SVG>", True),
        ("<svg>\n<title>Two bars</title></svg>", True),
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


@pytest.mark.parametrize("word", ["simply", "just", "obviously", "Simply", "JUST"])
def test_words_that_belittle_are_told(word):
    assert [problem.got for problem in empty_words(notebook(("md", f"It {word} is.")), SERIES)] == [word]


@pytest.mark.parametrize("cell", [("md", "`just` so. Adjust, simplify. <b title='just'>x</b>"), ("code", "# just\n1")])
def test_words_in_code_and_in_other_words_do_not_belittle(cell):
    assert not list(empty_words(notebook(cell), SERIES))


@pytest.fixture
def worded(tmp_path):
    """What the glossary rule says of the sample with another first line in Words."""

    def problems(line):
        draft = good_lesson()
        draft.replace(4, "- **token**: a word as it is counted.", line)
        return [problem.message for problem in glossary(*draft.lay_in_series(tmp_path))]

    return problems


GONE = "the glossary names this lesson for a line it has not"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("- **token**: a word as it is counted.", []),
        ("- token: a word as it is counted.", ["a line of Words has another form", GONE]),
        ("- ****: a word as it is counted.", ["a line of Words has another form", GONE]),
        ("- **token**: .", ["a line of Words has another form", GONE]),
        ("- **token**: a word as it is counted", ["a line of Words has another form", GONE]),
        ("- **token** is a word as it is counted.", ["a line of Words has another form", GONE]),
        ("- **token**: a word.", ["the glossary has not this line", GONE]),
        ("Words are counted.", [GONE]),
    ],
)
def test_line_of_words_has_its_form_and_stands_in_the_glossary(worded, line, said):
    assert worded(line) == said


def test_line_that_is_wrong_is_shown_with_the_nearest_of_the_glossary(tmp_path):
    draft = good_lesson()
    draft.replace(4, "as it is counted", "as counted")
    draft.replace(4, "- **fold**", "- **bend**")

    wrong = [problem.got for problem in glossary(*draft.lay_in_series(tmp_path))]

    assert wrong[:2] == ["- **token**: a word as it is counted. ([90](90_sample.ipynb))", "none"]


def test_what_looks_like_a_link_in_code_is_none():
    lesson = notebook(("code", "'[05](gone_06.ipynb)'"))

    assert not list(dead_link(lesson))
    assert not list(numbered_link(lesson, SERIES))


@pytest.mark.parametrize(("source", "found"), [("The **fold**.", True), ("The fold, **once**, **once**.", False)])
def test_term_is_bold_in_words_alone(source, found, tmp_path):
    draft = good_lesson()
    draft.cell(12).source += f"\n\n{source}"

    assert bool(list(bold_once(*draft.lay_in_series(tmp_path)))) is found
