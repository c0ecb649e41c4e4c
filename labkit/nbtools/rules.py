"""Every rule of the gate in one table; a rule has the name of its function, with hyphens.

A rule is a small function that yields problems. What it takes says where it holds: a notebook alone, a lesson of the
series, or either of them with what running it gave.
"""

from collections.abc import Callable, Iterable, Iterator

from labkit.nbtools import (
    answers,
    budgets,
    closing,
    code_form,
    opening,
    output_form,
    practice,
    prose,
    reproduced,
    sections,
    structure,
)
from labkit.nbtools.executed import Executed
from labkit.nbtools.finding import Level, Problem
from labkit.nbtools.marks import mark_form, number_unmarked
from labkit.nbtools.notebook import Lesson
from labkit.nbtools.series import Series

NotebookRule = Callable[[Lesson], Iterator[Problem]]
LessonRule = Callable[[Lesson, Series], Iterator[Problem]]
RunRule = Callable[[Lesson, Executed], Iterator[Problem]]
LessonRunRule = Callable[[Lesson, Series, Executed], Iterator[Problem]]

NOTEBOOK_RULES: tuple[NotebookRule, ...] = (
    structure.every_cell_run,
    structure.counters,
    structure.cell_ids,
    structure.excuses,
    output_form.output_missing,
    output_form.text_twin,
    output_form.no_errors,
    output_form.widget_state,
    output_form.no_machine_facts,
    code_form.code_parses,
    code_form.trailing_semicolon,
    code_form.no_history,
    code_form.star_import,
    prose.dead_link,
    prose.alt_text,
    prose.heading_jump,
)
LESSON_RULES: tuple[LessonRule, ...] = (
    structure.file_form,
    structure.notebook_metadata,
    structure.lesson_ids,
    structure.cell_metadata,
    structure.folded_cells,
    output_form.output_kinds,
    output_form.no_stderr,
    code_form.setup_cell,
    code_form.imports_at_the_top,
    code_form.plain_python,
    code_form.value_not_print,
    code_form.retyped_name,
    opening.opening_form,
    opening.objectives,
    opening.one_title,
    opening.first_cells,
    opening.misconception,
    closing.last_cells,
    closing.recap,
    closing.three_questions,
    closing.guard_test,
    closing.navigation,
    practice.predictions,
    practice.asked_first,
    practice.outcomes,
    practice.explained,
    practice.exercise_kinds,
    practice.exercise_cells,
    prose.numbered_link,
    prose.glossary,
    prose.bold_once,
    prose.empty_words,
    number_unmarked,
    mark_form,
    budgets.cell_count,
    budgets.code_size,
    budgets.code_in_a_row,
    budgets.words_per_line,
    answers.hints,
    answers.wrong_answers,
)
RUN_RULES: tuple[RunRule, ...] = (
    reproduced.cell_runs,
    reproduced.nbval_agrees,
    reproduced.output_count,
    reproduced.output_order,
    reproduced.output_forms,
    reproduced.plain_text,
    reproduced.rich_text,
    reproduced.pictures,
    reproduced.stream_text,
    reproduced.error_text,
    answers.stub_open,
    answers.solution_passes,
    sections.solution_varied,
    sections.section_alone,
    sections.section_twice,
    budgets.too_slow,
)
LESSON_RUN_RULES: tuple[LessonRunRule, ...] = (reproduced.number_wrong,)

TOLD_ONLY: dict[str, Level] = {"empty-words": "warning", "words-per-line": "notice", "too-slow": "warning"}
"""Rules that do not fail the gate."""

Named = tuple[str, Problem]


def name_of(rule: Callable[..., object]) -> str:
    """The name that findings carry: `every-cell-run` for `every_cell_run`."""
    return rule.__name__.replace("_", "-")


RULES: dict[str, str] = {
    name_of(rule): (rule.__doc__ or "").partition("\n")[0]
    for rule in (*NOTEBOOK_RULES, *LESSON_RULES, *RUN_RULES, *LESSON_RUN_RULES)
}
"""What each rule promises, by name, in the order they are asked."""


def level_of(name: str) -> Level:
    """How much a rule's problem weighs."""
    return TOLD_ONLY.get(name, "error")


def look_at_file(lesson: Lesson, series: Series | None) -> Iterator[Named]:
    """What the rules have against the notebook as it lies there; those of the series only for one of its lessons."""
    for rule in NOTEBOOK_RULES:
        yield from _named(rule, rule(lesson))
    if series is None:
        return
    for lesson_rule in LESSON_RULES:
        yield from _named(lesson_rule, lesson_rule(lesson, series))


def look_at_run(lesson: Lesson, series: Series | None, run: Executed) -> Iterator[Named]:
    """What the rules have against the notebook, now that it was run."""
    for rule in RUN_RULES:
        yield from _named(rule, rule(lesson, run))
    if series is None:
        return
    for lesson_rule in LESSON_RUN_RULES:
        yield from _named(lesson_rule, lesson_rule(lesson, series, run))


def _named(rule: Callable[..., object], problems: Iterable[Problem]) -> Iterator[Named]:
    yield from ((name_of(rule), problem) for problem in problems)
