"""The two locks, pyproject.toml and environment.yml agree, and name packages only."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent
LOCKS = ["requirements.lock", "requirements-dev.lock"]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
ENVIRONMENT = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
WANTED_IN_ENVIRONMENT = {"jupyterlab", "nbclient", "ipywidgets", "pandas", "pytest", "nbval"}


def text(lock: str) -> str:
    return (ROOT / lock).read_text(encoding="utf-8")


def pins(lock: str) -> dict[str, str]:
    """Package name → its pin, with the marker, as the lock spells it."""
    lines = re.findall(r"^([a-z0-9].*?) \\$", text(lock), re.MULTILINE)
    return {line.partition("==")[0]: line for line in lines}


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[<>=!~;\[ ]", requirement)[0].lower().replace("_", "-") for requirement in requirements}


def pip_section() -> list[str]:
    return next(entry["pip"] for entry in ENVIRONMENT["dependencies"] if isinstance(entry, dict))


@pytest.mark.parametrize("lock", LOCKS)
def test_lock_holds_what_the_lab_depends_on_and_the_tool_that_installs_it(lock):
    extras = PROJECT["optional-dependencies"]

    assert names(PROJECT["dependencies"]) | names(extras["build"]) <= pins(lock).keys()


def test_development_lock_holds_what_the_tests_need():
    extras = PROJECT["optional-dependencies"]

    assert names(extras["dev"]) | names(extras["bench"]) <= pins("requirements-dev.lock").keys()


def test_development_lock_is_the_lab_lock_and_more():
    assert pins("requirements.lock").items() <= pins("requirements-dev.lock").items()


@pytest.mark.parametrize("lock", LOCKS)
def test_every_version_is_above_the_floor_of_pyproject(lock):
    floors = [line.split(">=") for line in PROJECT["dependencies"] + PROJECT["optional-dependencies"]["build"]]
    pinned = {name: pin.split("==")[1].split()[0].split(".") for name, pin in pins(lock).items()}

    for name, floor in floors:
        assert [int(part) for part in pinned[name][:2]] >= [int(part) for part in floor.split(".")], name


@pytest.mark.parametrize("lock", LOCKS)
def test_every_pin_has_hashes(lock):
    for entry in re.split(r"\n(?=\S)", text(lock).strip()):
        assert re.fullmatch(r"[a-z0-9.-]+==\S+( ; .+?)?( \\\n    --hash=sha256:[0-9a-f]{64})+", entry), entry[:80]


@pytest.mark.parametrize("lock", LOCKS)
def test_hashes_cover_more_than_the_machine_that_made_the_lock(lock):
    """Compiled packages have a wheel a system and a Python: tens of hashes, where one machine's own would be two."""
    for name in ["numpy", "pandas", "pyzmq"]:
        entry = re.search(rf"^{name}==[^\n]*\n((?:    --hash[^\n]*\n)+)", text(lock), re.MULTILINE)

        assert entry, name
        assert entry[1].count("--hash") >= 10, name


@pytest.mark.parametrize("lock", LOCKS)
@pytest.mark.parametrize("machine", [r"://", r"/simple", r"^-", r"#", r" @ ", r"(^|\s)/", r"\b[A-Z]:\\"])
def test_lock_names_no_index_no_host_and_no_path(lock, machine):
    assert not re.search(machine, text(lock), re.MULTILINE)


def test_environment_lists_the_pins_of_the_development_lock_and_then_labkit():
    assert pip_section() == [*pins("requirements-dev.lock").values(), "-e ."]


def test_environment_names_what_a_reader_looks_for():
    assert names(pip_section()) >= WANTED_IN_ENVIRONMENT


def test_environment_takes_a_python_that_labkit_accepts_from_conda_forge():
    python = next(entry for entry in ENVIRONMENT["dependencies"] if str(entry).startswith("python="))

    assert ENVIRONMENT["channels"] == ["conda-forge"]
    assert f">={python.removeprefix('python=')}" == PROJECT["requires-python"]
