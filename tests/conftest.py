"""What several test files draw on, and the one option: whether a missing browser is a failure."""

import os
import shutil

import pytest

from labkit.clock import FakeClock
from labkit.corpus import Corpus, load_corpus

BROWSERS = ["chromium", "chromium-browser", "google-chrome"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--require-browser", action="store_true", help="fail, not skip, where Chromium is missing")


@pytest.fixture(scope="session")
def chromium(request: pytest.FixtureRequest) -> str:
    """The path of Chromium; LABKIT_CHROMIUM names one that is not on the path."""
    named = [os.environ["LABKIT_CHROMIUM"]] if "LABKIT_CHROMIUM" in os.environ else BROWSERS
    path = next(filter(None, map(shutil.which, named)), None)
    if path:
        return path
    if request.config.getoption("--require-browser"):
        pytest.fail("no Chromium, and --require-browser asks for one")
    pytest.skip("not run: no Chromium")


@pytest.fixture
def clock() -> FakeClock:
    """A clock at 0 s that the test moves."""
    return FakeClock()


@pytest.fixture
def corpus() -> Corpus:
    """The four summaries of `fixtures/corpus.json`."""
    return load_corpus()
