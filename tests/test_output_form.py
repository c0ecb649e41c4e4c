"""What may stand among recorded outputs."""

import pytest
from nbformat.v4 import new_output
from sample_series import notebook

from labkit.nbtools.output_form import (
    no_errors,
    no_machine_facts,
    no_stderr,
    output_kinds,
    output_missing,
    text_twin,
    widget_state,
)
from labkit.nbtools.recorded import WIDGET_VIEW
from labkit.nbtools.series import Series

SERIES = Series.of_this_checkout()


def showing(source, *outputs):
    lesson = notebook(("code", source))
    lesson.cells[0].outputs = list(outputs)
    return lesson


@pytest.mark.parametrize(
    "source", ["1 + 1", "a == b", "not a", "[x]", "f'{x}'", "{n for n in x}", "3", "print(1)", "x = 1\n(x, x)"]
)
def test_a_cell_that_must_show_something_needs_an_output(source):
    assert list(output_missing(showing(source)))


@pytest.mark.parametrize(
    "source", ["x = 1", "thing()", "name", "a.b", "None", "assert 1 == 1", "def f():\n    print(1)", ""]
)
def test_a_cell_that_may_show_nothing_needs_none(source):
    assert not list(output_missing(showing(source)))


def test_printed_text_is_no_value():
    assert list(output_missing(showing("print(1)\n2", new_output("stream", text="1\n"))))


@pytest.mark.parametrize("text", ["", "  ", "<IPython.core.display.SVG object>", "<Figure size 640x480 with 1 Axes>"])
def test_plain_text_beside_a_picture_must_say_something(text):
    data = {"text/plain": text, "image/svg+xml": "<svg/>"}

    assert list(text_twin(showing("x", new_output("execute_result", data))))


def test_angle_brackets_alone_are_a_value_like_others():
    assert not list(text_twin(showing("x", new_output("execute_result", {"text/plain": "<a b>"}))))


@pytest.mark.parametrize(
    "fact", ["at 0x7f1234567890", "/home/ann/x.py", "C:\\\\lab", "ipykernel_4711", "pid 4711", "file:///a"]
)
@pytest.mark.parametrize("place", ["output", "prose"])
def test_nothing_tells_of_the_machine(fact, place):
    lesson = showing("x", new_output("stream", text=fact)) if place == "output" else notebook(("md", fact))

    assert list(no_machine_facts(lesson))


@pytest.mark.parametrize(
    "text", ["tests/test_canonical.py", "https://example.org/home/ann", "a/tmp/b", "0xff", "~/lab"]
)
def test_addresses_of_no_machine_may_stand(text):
    assert not list(no_machine_facts(notebook(("md", text))))


def errors(source="1 / 0", *tags):
    lesson = notebook(("code", source, *tags))
    lesson.cells[0].outputs = [new_output("error", ename="E", evalue="")]
    return lesson


def test_error_stands_under_the_tag_traceback_alone():
    assert [problem.message for problem in no_errors(errors())] == ["the cell ended in an error"]
    assert not list(no_errors(errors("1 / 0", "traceback")))


def test_one_traceback_is_the_most():
    lesson = notebook(*[("code", "1 / 0", "traceback")] * 2)

    assert [problem.cell for problem in no_errors(lesson)] == [lesson.cells[1]]


@pytest.mark.parametrize(
    ("kind", "kept"),
    [
        ("text/plain", True),
        ("text/html", True),
        ("text/markdown", True),
        ("image/svg+xml", True),
        ("image/png", False),
        ("application/json", False),
        ("text/latex", False),
    ],
)
def test_lessons_keep_text_html_markdown_and_svg(kind, kept):
    assert (not list(output_kinds(showing("x", new_output("execute_result", {kind: "x"})), SERIES))) is kept


@pytest.mark.parametrize(
    ("output", "fits"),
    [
        (new_output("stream", name="stdout", text="x"), True),
        (new_output("stream", name="stderr", text="x"), False),
        (new_output("execute_result", {"text/plain": "stderr"}), True),
    ],
)
def test_nothing_is_written_to_stderr(output, fits):
    assert (not list(no_stderr(showing("x", output), SERIES))) is fits


@pytest.mark.parametrize(
    "source", ["(n for n in x)", "[n for n in x]", "{n: 1 for n in x}", "{}", "-x", "{1}", "{'a': 1}"]
)
def test_expression_that_is_never_none_needs_an_output(source):
    assert list(output_missing(showing(source)))
    assert not list(output_missing(showing(source, new_output("execute_result", {"text/plain": "x"}))))


def test_error_takes_the_place_of_a_value_and_a_display_that_of_a_print():
    assert not list(output_missing(showing("1 / 0", new_output("error", ename="E", evalue=""))))
    assert list(output_missing(showing("1 + 1", new_output("display_data", {"text/plain": "2"}))))
    assert not list(output_missing(showing("print(1)", new_output("stream", text="1"))))


@pytest.mark.parametrize("source", ["out.print(1)", "printed(1)", "print", "x = print(1)"])
def test_other_calls_may_print_nothing(source):
    assert not list(output_missing(showing(source)))


def test_live_widget_is_found_in_output_and_metadata():
    lesson = showing("x", new_output("display_data", {"text/plain": "x", WIDGET_VIEW: {"model_id": "1"}}))

    assert len(list(widget_state(lesson))) == 1

    lesson.node.metadata["widgets"] = {}

    assert len(list(widget_state(lesson))) == 2


def test_stream_and_error_need_no_twin():
    assert not list(text_twin(showing("x", new_output("stream", text=""), new_output("error", ename="E", evalue=""))))
    assert list(text_twin(showing("x", new_output("display_data", {"text/html": "<b>x</b>"}))))


def test_metadata_tells_nothing_of_the_machine():
    lesson = notebook(("code", "x"))
    lesson.node.metadata["kernelspec"] = {"path": "/home/ann/x.py"}

    assert [problem.cell for problem in no_machine_facts(lesson)] == [None]
