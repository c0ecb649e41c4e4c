"""The gate catches every single change to a good notebook that a reader would see or CI relies on, by a rule's name.

`python tests/test_mutations.py` says how many of them `pytest --nbval` alone catches; that takes some minutes.
"""

import asyncio
from collections import Counter
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from mutations import HARMLESS, MUTATIONS, Mutation
from nbformat.v4 import nbjson
from sample_series import SAMPLE, Draft, good_lesson, good_notebook_elsewhere

import labkit.lesson
from labkit.nbtools.executed import Executed, executed_copy, run_sections, run_whole, section_plan
from labkit.nbtools.forked import preloaded
from labkit.nbtools.kernels import run_kernels
from labkit.nbtools.nbval_run import nbval
from labkit.nbtools.rules import RULES, level_of, look_at_file, look_at_run
from labkit.nbtools.surroundings import kernel_home

NAMES = [mutation.name for mutation in MUTATIONS]


class Bench:
    """Both good notebooks as recorded, their runs, and the runs of those changes that must be run anew."""

    def __init__(self, root: Path, home: Path):
        self.root, self.home = root, home
        self.drafts = {False: good_lesson(), True: good_notebook_elsewhere()}
        self.runs: dict[str, Executed] = {}

    async def prepare(self, mutations: list[Mutation]) -> None:
        """Record the good notebooks, then run what must be run, two at once."""
        for elsewhere in (False, True):
            await self.record(elsewhere)
        room = asyncio.Semaphore(2)

        async def one(mutation: Mutation) -> None:
            async with room:
                self.runs[mutation.name] = await self.run(self.spoilt(mutation), mutation.name, mutation.runs)

        await asyncio.gather(*(one(mutation) for mutation in mutations if mutation.runs))

    async def record(self, elsewhere: bool) -> None:  # noqa: FBT001 - the key of two notebooks
        draft = self.drafts[elsewhere]
        lesson, _ = draft.lay(self.root / "recording")
        run = await self.run(draft, "recording", "sections")
        draft.node = nbjson.to_notebook(nbjson.reads(executed_copy(lesson, run.whole)))
        self.runs[f"good {elsewhere}"] = run

    async def run(self, draft: Draft, name: str, runs: str) -> Executed:
        lesson, series = draft.lay(self.root / name)
        run = Executed(await run_whole(lesson, self.home))
        plan = section_plan(lesson) if series and runs == "sections" else ()
        return replace(run, plan=plan, sections=await run_sections(lesson, plan, self.home)) if plan else run

    def spoilt(self, mutation: Mutation) -> Draft:
        draft = self.drafts[mutation.elsewhere].copy()
        mutation.change(draft)
        return draft

    def found(self, mutation: Mutation) -> Counter[str]:
        """How often each rule that fails the gate speaks up after this change."""
        lesson, series = self.spoilt(mutation).lay(self.root / mutation.name)
        run = self.runs.get(mutation.name) or self.runs[f"good {mutation.elsewhere}"]
        named = [*look_at_file(lesson, series)]
        kinds = [[cell.cell_type for cell in cells] for cells in (lesson.cells, run.whole.cells)]
        if kinds[0] == kinds[1] or run.whole.reason:  # a run of other cells tells nothing of these
            named += look_at_run(lesson, series, run)
        return Counter(rule for rule, _ in named if level_of(rule) == "error")


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch, kernel_home() as home:
        patch.setenv("PYTHONPATH", str(SAMPLE))
        patch.setattr(labkit.lesson, "__path__", [*labkit.lesson.__path__, str(SAMPLE)])
        made = Bench(tmp_path_factory.mktemp("mutations"), home)
        with preloaded(home, "kernel"):
            run_kernels(made.prepare([*MUTATIONS, *HARMLESS]))
        yield made


@pytest.mark.parametrize("elsewhere", [False, True], ids=["lesson", "elsewhere"])
def test_good_notebook_passes_every_rule(bench, elsewhere):
    assert not bench.found(Mutation("nothing", "", lambda _: None, elsewhere=elsewhere))


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name)
def test_change_is_caught_by_the_rule_that_names_it(bench, mutation):
    assert mutation.rule in bench.found(mutation)


@pytest.mark.parametrize("mutation", HARMLESS, ids=lambda mutation: mutation.name)
def test_harmless_edit_stays_green(bench, mutation):
    assert not bench.found(mutation)


def test_every_change_has_a_name_of_its_own():
    assert len(set(NAMES)) == len(NAMES) >= 40
    assert len(HARMLESS) >= 10


def test_every_rule_is_the_named_catch_of_some_change():
    told_only = {rule for rule in RULES if level_of(rule) != "error"}
    unprovoked = set(RULES) - {mutation.rule for mutation in MUTATIONS} - told_only

    # Their own tests spoil what these look at: nbval's verdict, and exercises kept in Python.
    assert unprovoked == {"nbval-agrees", "wrong-answers", "hints"}


def nbval_score() -> str:
    """How many of the changes nbval alone catches, with the names of those it lets pass."""
    with pytest.MonkeyPatch.context() as patch, kernel_home() as home, TemporaryDirectory() as root:
        patch.setenv("PYTHONPATH", str(SAMPLE))
        made = Bench(Path(root), home)
        missed = run_kernels(_missed_by_nbval(made))
    return "\n".join([f"nbval alone catches {len(MUTATIONS) - len(missed)} of {len(MUTATIONS)}; not:", *missed])


async def _missed_by_nbval(made: Bench) -> list[str]:
    await made.prepare([])
    room = asyncio.Semaphore(2)

    async def complains(mutation: Mutation) -> bool:
        lesson, _ = made.spoilt(mutation).lay(made.root / mutation.name)
        async with room:
            complaints = await nbval(lesson.path, made.home)
        # It knows no tag for a wanted traceback, and so always complains of that cell.
        return any(complaint.code_cell != 2 for complaint in complaints) if mutation.elsewhere else bool(complaints)

    caught = await asyncio.gather(*map(complains, MUTATIONS))
    return [mutation.name for mutation, one in zip(MUTATIONS, caught, strict=True) if not one]


if __name__ == "__main__":
    print(nbval_score())  # noqa: T201 - the result of the command
