"""The one form in which a run is recorded."""

import pytest

from labkit.nbtools.notebook import lesson_of, node_of, read_lesson, spelled
from labkit.nbtools.recorded import METADATA, WIDGET_VIEW, differences, machine_facts, recorded, shown


def remade(lesson, change):
    """The lesson after `change` was done to its content, as an editor would."""
    node = lesson_of(lesson.path, lesson.text).node
    change(node)
    return lesson_of(lesson.path, spelled(node))


def code(**parts):
    cell = {"cell_type": "code", "metadata": {}, "source": "1", "execution_count": None, "outputs": []}
    return node_of(cell | parts)


@pytest.fixture
def lesson(notebook_file):
    """Four cells as recorded: text, a prediction's outcome, a solution, a plain one."""
    written = read_lesson(notebook_file("# 05 · A claim", ("outcome", "compare(1)"), ("solution", "2"), "3"))
    result = {"output_type": "execute_result", "execution_count": 9, "metadata": {}, "data": {"text/plain": "3"}}
    run = [*written.cells[:3], code(id="05_tiny-04", source="3", outputs=[node_of(result)])]
    return lesson_of(written.path, recorded(written, run))


def test_recorded_lesson_stays_as_it_is(lesson):
    assert recorded(lesson) == lesson.text
    assert differences(lesson, lesson) == ()


def test_counters_run_from_one_and_folds_follow_the_tags(lesson):
    assert [cell.execution_count for cell in lesson.code_cells] == [1, 2, 3]
    assert lesson.cells[3].outputs[0].execution_count == 3
    assert lesson.cells[1].metadata == {"tags": ["outcome", "hide-output"], "jupyter": {"outputs_hidden": True}}
    assert lesson.cells[2].metadata == {"tags": ["solution", "hide-input"], "jupyter": {"source_hidden": True}}
    assert lesson.cells[3].metadata == {}


def as_jupyterlab_saves(node):
    node.metadata = {
        "kernelspec": {"display_name": "mine", "language": "python", "name": "mine"},
        "language_info": {"name": "python", "version": "3.13.1", "pygments_lexer": "ipython3"},
        "widgets": {"application/vnd.jupyter.widget-state+json": {"state": {}}},
    }
    node.nbformat_minor = 4
    for number, cell in enumerate(node.cells):
        cell.metadata = {"trusted": True, "scrolled": False, "editable": True, "tags": cell.metadata.get("tags", [])}
        if cell.cell_type == "code":
            cell.execution_count = [None, 17][number % 2]


def test_editors_save_is_put_right_without_running(lesson):
    saved = remade(lesson, as_jupyterlab_saves)

    assert recorded(saved) == lesson.text
    assert differences(saved, lesson) == (
        "the notebook: metadata",
        "05_tiny-01: metadata",
        *(f"05_tiny-{number}: metadata, counter" for number in ("02", "03", "04")),
    )


def test_fold_without_its_tag_is_opened(lesson):
    def fold(node):
        node.cells[3].metadata = {"tags": ["hide-output", "stub"], "jupyter": {"outputs_hidden": True}}

    assert lesson_of(lesson.path, recorded(remade(lesson, fold))).cells[3].metadata == {"tags": ["stub"]}


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (["", "", ""], ["05_tiny-01", "05_tiny-02", "05_tiny-03"]),
        (["05_tiny-01", "d41d8cd9", "05_tiny-02"], ["05_tiny-01", "05_tiny-03", "05_tiny-02"]),
        (["05_tiny-07", "05_tiny-07", "x"], ["05_tiny-07", "05_tiny-08", "05_tiny-09"]),
        (["05_tiny-1", "06_tiny-01", "05_tiny-120"], ["05_tiny-121", "05_tiny-122", "05_tiny-120"]),
    ],
)
def test_id_of_the_lessons_form_is_kept_and_others_get_the_next_free_number(notebook_file, given, kept):
    path = notebook_file()
    cells = [code(id=id) if id else code() for id in given]

    assert [cell.id for cell in lesson_of(path, recorded(read_lesson(path), cells)).cells] == kept


def output(**parts):
    return node_of({"output_type": "display_data", "metadata": {}} | parts)


RECORDED_OUTPUTS = {
    "a live view beside its text": (
        output(data={WIDGET_VIEW: {"model_id": "f00"}, "text/plain": "slider"}),
        output(data={"text/plain": "slider"}),
    ),
    "a live view alone": (output(data={WIDGET_VIEW: {}}), output(data={WIDGET_VIEW: {}})),
    "metadata and transient ids": (
        output(data={"text/plain": "a"}, metadata={"isolated": True}, transient={"display_id": "f00"}),
        output(data={"text/plain": "a"}),
    ),
    "an error": (
        node_of({"output_type": "error", "ename": "E", "evalue": "no", "traceback": ["File /home/me/x.py", "E: no"]}),
        node_of({"output_type": "error", "ename": "E", "evalue": "no", "traceback": ["E: no"]}),
    ),
    "a stream": (
        node_of({"output_type": "stream", "name": "stdout", "text": "a\nb\n"}),
        node_of({"output_type": "stream", "name": "stdout", "text": "a\nb\n"}),
    ),
}


@pytest.mark.parametrize(("given", "kept"), RECORDED_OUTPUTS.values(), ids=RECORDED_OUTPUTS)
def test_output_keeps_what_it_says_and_nothing_of_its_run(notebook_file, given, kept):
    path = notebook_file("1")

    text = recorded(read_lesson(path), [code(id="05_tiny-01", outputs=[given])])

    assert lesson_of(path, text).cells[0].outputs == [kept]


def test_notebook_says_of_itself_the_fixed_kernel_only(lesson):
    assert lesson.node.metadata == METADATA
    assert (lesson.node.nbformat, lesson.node.nbformat_minor) == (4, 5)
    assert lesson.text.endswith("}\n")


CHANGES = {
    "an output": (lambda node: node.cells[3].outputs.clear(), ("05_tiny-04: counter, outputs",)),
    "a counter": (lambda node: node.cells[3].update(execution_count=7), ("05_tiny-04: counter",)),
    "a fold": (lambda node: node.cells[1].metadata.pop("jupyter"), ("05_tiny-02: metadata",)),
    "an id": (lambda node: node.cells[0].update(id="x"), ("05_tiny-01: id",)),
    "two cells": (
        lambda node: [cell.update(execution_count=None) for cell in node.cells[1:3]],
        ("05_tiny-02: counter", "05_tiny-03: counter"),
    ),
}


@pytest.mark.parametrize(("change", "told"), CHANGES.values(), ids=CHANGES)
def test_differences_name_the_cell_and_what_changed_in_it(lesson, change, told):
    before = remade(lesson, change)

    assert differences(before, lesson) == told


def test_difference_in_spelling_alone_is_told(lesson):
    windows = lesson_of(lesson.path, lesson.text.replace("\n", "\r\n"))

    assert differences(windows, lesson) == ("the file: spelling",)


TELLING = {
    "<Gate at 0x7f89cf2cd2f0>": "a memory address",
    "File /home/ada/lab/x.py": "an absolute path",
    r"C:\Users\ada": "a path with a drive",
    "/tmp/ipykernel_4711/1.py:3: UserWarning": "a kernel's process",
    "file:///lab": "a file address",
    "2026-11-30T20:11:00": "a time stamp",
    "pid=4711": "a process id",
}
SILENT = [
    "POST /search",
    "0x1f",
    "https://example.org/home/page",
    "a/tmp/b",
    "2026-11-30",
    "~/home/x",
    "sha 0a1b2c3d4e",
]


@pytest.mark.parametrize(("text", "what"), TELLING.items())
def test_what_tells_of_a_machine_is_found(text, what):
    assert what in [kind for kind, _ in machine_facts(text)]


@pytest.mark.parametrize("text", SILENT)
def test_what_every_machine_says_alike_is_let_through(text):
    assert list(machine_facts(text)) == []


def test_every_text_of_an_output_is_looked_at():
    cell = code(outputs=[given for given, _ in RECORDED_OUTPUTS.values()])

    assert {"slider", "a", "no", "E: no", "a\nb\n"} <= set(shown(cell))
