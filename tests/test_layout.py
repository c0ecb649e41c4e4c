"""Every module stands on those above it; every lesson has a home."""

import ast
import re
import sys
from pathlib import Path

import pytest

from labkit.nbtools.cell_code import tree
from labkit.nbtools.notebook import read_lesson

ROOT = Path(__file__).parent.parent
READING_ORDER = [
    "errors",
    "text_table",
    "canonical",
    "clock",
    "whole_file",
    "fixtures",
    "bounded_map",
    "corpus",
    "search",
    "search_request",
    "access.policy",
    "access.authorize",
    "access.eligible",
    "access.ranking",
    "access.handles",
    "access.tool",
    "access.gate",
    "access.leak_meter",
    "access.access_cases",
    "results.result_key",
    "results.result_cache",
    "results.retrieve",
    "results.retrieve_cases",
    "service.schema",
    "service.admission",
    "service.admission_cases",
    "service.refusals",
    "service.access_app",
    "service.results_app",
    "service.labs",
    "service.wire",
    "service.listen",
    "driver.cases",
    "driver.children",
    "driver.record",
    "widgets.lives",
    "widgets.drawn_text",
    "widgets.timeline_marks",
    "widgets.timeline_picture",
    "widgets.timeline_text",
    "widgets.timeline",
    "widgets.timeline_view",
    "lesson.reply",
    "lesson.progress",
    "lesson.predict",
    "lesson.exercise",
    "lesson.exercises_00",
    "lesson.exercises_01",
    "lesson.exercises_02",
    "lesson.exercises_03",
    "lesson.exercises_04",
    "lesson.exercises_05",
    "lesson.exercises_06",
    "lesson.exercises_07",
    "lesson.judges_08",
    "lesson.exercises_08",
    "lesson.exercises_09",
    "lesson.judges_10",
    "lesson.exercises_10",
    "lesson.judges_11",
    "lesson.exercises_11",
    "lesson.judges_12",
    "lesson.exercises_12",
    "lesson.tables",
    "lesson.source",
    "lesson.plots",
    "lesson.world",
    "nbtools.notebook",
    "nbtools.recorded",
    "nbtools.surroundings",
    "nbtools.zygote",
    "nbtools.preload",
    "nbtools.forked",
    "nbtools.provisioner",
    "nbtools.kernels",
    "nbtools.cell_code",
    "nbtools.homes",
    "nbtools.regenerate",
    "nbtools.onlooker",
    "nbtools.series",
    "nbtools.finding",
    "nbtools.markdown",
    "nbtools.structure",
    "nbtools.output_form",
    "nbtools.code_form",
    "nbtools.opening",
    "nbtools.closing",
    "nbtools.practice",
    "nbtools.prose",
    "nbtools.number_words",
    "nbtools.marks",
    "nbtools.output_fields",
    "nbtools.nbval_run",
    "nbtools.executed",
    "nbtools.budgets",
    "nbtools.reproduced",
    "nbtools.sections",
    "nbtools.answers",
    "nbtools.rules",
    "nbtools.report",
    "nbtools.check",
    "workfolder",
    "jupyter",
    "doctor",
    "exit_codes",
    "cli",
    "__main__",
]
GROUND = {"errors", "canonical", "clock", "whole_file", "fixtures", "bounded_map", "corpus", "search", "search_request"}
GROUND_FOR_HARNESS = GROUND - {"corpus", "search", "search_request"}
COMPANIONS = {
    "01_canonical": {"fixtures"},  # holds the published identities that ours must equal
    "04_authorize": {"access.gate", "access.tool"},  # that a refusal makes no tool is seen at the gate
    "05_eligible": {"access.access_cases"},  # the published case is one of them
    "06_handles": {"access.leak_meter"},  # counts what the gate lets out
    "07_ranking": {"access.gate"},  # the ranking is chosen there
    "09_bounded_map": {"widgets.timeline", "widgets.timeline_view"},  # the map over time, to be dragged
    "10_result_cache": {"results.retrieve", "results.retrieve_cases"},  # asks for the grant, then the cache
    "11_admission": {"service.access_app", "service.admission_cases"},  # the app that admits
}
"""Modules that a lesson shows its own at work in, though they are read later."""
DUMPING_GROUNDS = {"utils", "util", "helpers", "helper", "common", "types", "base", "manager", "misc"}

SOURCES = {
    ".".join(path.relative_to(ROOT / "labkit").with_suffix("").parts): path
    for path in sorted((ROOT / "labkit").rglob("*.py"))
    if path.stem != "__init__"
}
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def imported(path: Path) -> set[str]:
    """Dotted names this file imports, relative ones resolved; `from a import b` gives both `a` and `a.b`."""
    package = ["labkit", *path.relative_to(ROOT / "labkit").parent.parts]
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*above, *filter(None, [node.module])])
            names.add(module)
            names.update(f"{module}.{alias.name}" for alias in node.names)
    return names


def of_labkit(names: set[str]) -> set[str]:
    """The labkit modules among the names; the package `labkit.lesson` stands for its last module."""
    inside = {name.removeprefix("labkit.") for name in names if name.startswith("labkit.")}
    return {name for name in inside if name in SOURCES}


def test_every_module_stands_in_the_reading_order_once():
    assert sorted(READING_ORDER) == sorted(SOURCES)


def test_drawing_of_the_rooms_has_every_module_in_the_reading_order():
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    room, drawn = "", []
    for line in re.findall(r"^  │ (.*?) +│", page, re.MULTILINE):
        room = line[:9].strip() or room
        prefix = "" if room in ("ground", "command") else f"{room}."
        drawn += [prefix + name for name in line[9:].split() if name != "…"]

    left_out = {
        name for name in READING_ORDER if name.startswith(("nbtools.", "lesson.exercises_", "lesson.judges_"))
    } | {"__main__"}
    assert [name for name in READING_ORDER if name not in left_out - set(drawn)] == drawn


@pytest.mark.parametrize("module", SOURCES)
def test_module_imports_only_what_comes_before_it(module):
    allowed = set(READING_ORDER[: READING_ORDER.index(module)])
    if module.startswith("harness."):  # the two caches are separate stories
        allowed = {name for name in allowed if name in GROUND_FOR_HARNESS or name.startswith("harness.")}

    assert of_labkit(imported(SOURCES[module])) <= allowed


@pytest.mark.parametrize("module", sorted(GROUND & SOURCES.keys()))
def test_ground_needs_the_standard_library_only(module):
    outside = {name.split(".")[0] for name in imported(SOURCES[module])} - {"labkit"}

    assert outside <= sys.stdlib_module_names


@pytest.mark.parametrize("module", [name for name in SOURCES if not name.startswith(("service.", "driver."))])
def test_only_service_and_driver_need_what_http_needs(module):
    roots = {name.split(".")[0] for name in imported(SOURCES[module])}

    assert not roots & {"fastapi", "starlette", "uvicorn", "h11", "httpx", "pydantic"}


@pytest.mark.parametrize("module", [name for name in SOURCES if name.startswith(("widgets.", "lesson."))])
def test_only_the_lessons_on_http_need_it(module):
    if module in ("lesson.exercises_11", "lesson.exercises_12"):
        return

    assert not {name for name in of_labkit(imported(SOURCES[module])) if name.startswith(("service.", "driver."))}


@pytest.mark.parametrize("module", SOURCES)
def test_module_has_the_name_of_an_idea(module):
    assert module.rsplit(".", 1)[-1] not in DUMPING_GROUNDS


@pytest.mark.parametrize("path", SOURCES.values(), ids=SOURCES)
def test_module_fits_one_sitting(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 250


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_is_named_after_the_module_it_teaches(path):
    number, _, name = path.stem.partition("_")

    assert number == "00" or [module.rsplit(".", 1)[-1] for module in SOURCES].count(name) == 1


def imported_by_lesson(path: Path) -> set[str]:
    """The labkit modules that the lesson's code imports, but for what `labkit.lesson` gives every lesson."""
    nodes = [node for cell in read_lesson(path).code_cells for node in ast.walk(tree(cell))]
    names = {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
    names |= {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return {name for name in of_labkit(names) if not name.startswith("lesson.")}


@pytest.mark.parametrize("path", NOTEBOOKS[1:], ids=lambda path: path.stem)  # 00 tells the whole story
def test_lesson_imports_its_module_those_before_it_and_its_companions(path):
    own = next(module for module in READING_ORDER if module.rsplit(".", 1)[-1] == path.stem.partition("_")[2])
    before = set(READING_ORDER[: READING_ORDER.index(own)])
    used = imported_by_lesson(path)

    assert own in used
    assert used - before - {own} == COMPANIONS.get(path.stem, set())


@pytest.mark.parametrize("module", [name for name in SOURCES if not name.endswith("__main__")])
def test_module_has_a_test_of_its_name(module):
    name = module.rsplit(".", 1)[-1]
    if name.startswith(("exercises_", "judges_")):  # one file of tests runs over every lesson's exercises
        name = "exercises"

    assert (ROOT / "tests" / f"test_{name}.py").exists()
