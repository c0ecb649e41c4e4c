"""Running a lesson for the gate."""

from sample_series import good_lesson, notebook

from labkit.nbtools.executed import FORGET, executed_copy, run_through, run_whole, section_plan
from labkit.nbtools.kernels import run_kernels
from labkit.nbtools.surroundings import kernel_home

SMALL = [
    ("md", "## Set-up"),
    ("code", "import math", "setup"),
    ("md", "## One"),
    ("code", "math.floor(1.5)"),
    ("md", "## Nothing to run"),
    ("md", "## Exercises"),
    ("code", 'check("90.1", mine)', "stub"),
    ("code", 'check("90.1", 1 + 1)', "solution"),
]


def test_each_section_is_planned_alone_and_again_after_the_set_up():
    plan = section_plan(notebook(*SMALL))

    assert [(step.origin, step.time) for step in plan if not step.judges and step.cell.source != FORGET] == [
        *((1, 1), (3, 1), (1, 2), (3, 2)),
        *((1, 1), (6, 1), (7, 1), (1, 2), (6, 2), (7, 2)),
    ]
    assert [at for at, step in enumerate(plan) if step.cell.source == FORGET] == [0, 5]


def test_each_solution_s_answer_is_judged_on_many_sets_of_cases():
    [judging] = [step for step in section_plan(notebook(*SMALL)) if step.judges]

    assert judging.judges == "'90.1'"
    assert "_judge(_find('90.1'), 1 + 1, _Random(seed))" in judging.cell.source


def test_a_lesson_without_a_set_up_cell_is_planned_all_the_same():
    assert [step.origin for step in section_plan(notebook(("md", "## One"), ("code", "1")))] == [None, 1, 1]


def test_a_run_ends_at_the_first_cell_that_fails_and_says_why(tmp_path):
    lesson = notebook(("code", "1"), ("md", "text"), ("code", "1 / 0"), ("code", "3"))

    with kernel_home() as home:
        run = run_kernels(run_through(lesson.cells, tmp_path, home))

    assert len(run.cells) == 3
    assert len(run.seconds) == 2
    assert run.reason == "ZeroDivisionError: division by zero"
    assert '"3"' in executed_copy(lesson, run)


def test_forgetting_leaves_no_name_of_the_learner(tmp_path):
    lesson = notebook(("code", "mine = 1"), ("code", FORGET), ("code", '"mine" in globals()'))

    with kernel_home() as home:
        run = run_kernels(run_through(lesson.cells, tmp_path, home))

    assert run.cells[2].outputs[0].data["text/plain"] == "False"


def test_a_run_is_given_as_it_would_be_recorded(tmp_path):
    draft = good_lesson()
    draft.node.cells = [draft.cell(3), draft.cell(9)]
    draft.replace(9, "in spellings", 'in ["a"]')
    lesson, _ = draft.lay(tmp_path)

    with kernel_home() as home:
        run = run_kernels(run_whole(lesson, home))

    assert run.cells[1].execution_count == run.cells[1].outputs[0].execution_count == 2
    assert run.cells[1].outputs[0].metadata == {}
