"""What several test files draw on, and the one option: whether a missing browser is a failure."""

import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from labkit.access.gate import Gate
from labkit.access.handles import seeded_ids
from labkit.access.policy import Policy, load_policy
from labkit.clock import FakeClock
from labkit.corpus import Corpus, load_corpus
from labkit.doctor import chromium_path
from labkit.nbtools.notebook import node_of, spelled
from labkit.nbtools.recorded import METADATA


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--require-browser", action="store_true", help="fail, not skip, where Chromium is missing")


@pytest.fixture(scope="session")
def chromium(request: pytest.FixtureRequest) -> str:
    """The path of Chromium, or the test is skipped; failed when the run requires a browser."""
    if path := chromium_path():
        return path
    if request.config.getoption("--require-browser"):
        pytest.fail("no Chromium, and --require-browser asks for one")
    pytest.skip("not run: no Chromium")


@pytest.fixture
def clock() -> FakeClock:
    """A clock at 0 s that the test moves."""
    return FakeClock()


@pytest.fixture
def eager_switching() -> Iterator[None]:
    """Threads take turns after every few instructions: what a lock forgets shows each time, not now and then."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.fixture
def corpus() -> Corpus:
    """The four summaries of `fixtures/corpus.json`."""
    return load_corpus()


@pytest.fixture
def notebook_file(tmp_path: Path) -> Callable[..., Path]:
    """Writes a small notebook as recorded: Markdown for text that starts with #, else code; (tag, code) tags a cell."""

    def write(*cells: str | tuple[str, str], name: str = "05_tiny") -> Path:
        made = [new_cell(f"{name}-{number:02d}", cell) for number, cell in enumerate(cells, 1)]
        node = node_of({"cells": made, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5})
        path = tmp_path / f"{name}.ipynb"
        path.write_bytes(spelled(node).encode())
        return path

    return write


def new_cell(id: str, cell: str | tuple[str, str]) -> dict[str, object]:
    tag, source = cell if isinstance(cell, tuple) else ("", cell)
    kept = {"id": id, "metadata": {"tags": [tag]} if tag else {}, "source": source}
    if source.startswith("#"):
        return {"cell_type": "markdown", **kept}
    return {"cell_type": "code", "execution_count": None, "outputs": [], **kept}


@pytest.fixture
def policy(corpus: Corpus) -> Policy:
    """The grants of `fixtures/policy.json`: reader may use serialization, editor also files."""
    return load_policy(corpus)


@pytest.fixture
def gate(corpus: Corpus, policy: Policy, clock: FakeClock) -> Iterator[Gate]:
    """A gate on both, by the test's clock, with seeded ids."""
    with closing(Gate(corpus, policy, clock=clock, new_id=seeded_ids(7))) as gate:
        yield gate
