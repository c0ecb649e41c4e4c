"""What may stand among recorded outputs."""

import pytest
from nbformat.v4 import new_output
from sample_series import notebook

from labkit.nbtools.output_form import no_machine_facts, output_missing, text_twin


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
