"""start.py makes or reuses its environment, says in one line what stands in its way, and sums up its steps."""

import argparse
import ast
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

import start

SOURCE = Path(start.__file__)
PROJECT = """
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]
"""
BACKEND = """
import zipfile

def build_editable(folder, config_settings=None, metadata_directory=None):
    with zipfile.ZipFile(folder + "/labkit-1-py3-none-any.whl", "w") as wheel:
        wheel.writestr("labkit.py", "print('labkit runs')")
        wheel.writestr("labkit-1.dist-info/METADATA", "Metadata-Version: 2.1\\nName: labkit\\nVersion: 1")
        wheel.writestr("labkit-1.dist-info/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any")
        wheel.writestr("labkit-1.dist-info/RECORD", "")
    return "labkit-1-py3-none-any.whl"
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with nothing in its locks, so that an environment takes seconds; no index is in reach."""
    root = tmp_path / "repository"
    root.mkdir()
    shutil.copy(SOURCE, root)
    (root / "pyproject.toml").write_text(PROJECT)
    (root / "backend.py").write_text(BACKEND)
    for lock in [start.LAB_LOCK, start.TEST_LOCK]:
        (root / lock).write_text(f"# {lock}\n")
    for name in [name for name in os.environ if name.startswith(("PIP_", "UV_"))]:
        monkeypatch.delenv(name)
    for name, value in {"PIP_CONFIG_FILE": os.devnull, "PIP_INDEX_URL": "http://127.0.0.1:9/none"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PIP_RETRIES", "0")
    monkeypatch.setenv("UV_OFFLINE", "1")
    return root


def pin(root: Path, lock: str, *, hashed: str = "0" * 64) -> None:
    (root / lock).write_text(f"a-package==1 \\\n    --hash=sha256:{hashed}\n")


def run(root: Path, *words: str, before: str = "") -> subprocess.CompletedProcess[str]:
    """start.py in a Python of its own, where `before` has been run first."""
    program = f"import runpy, sys\n{before}\nsys.argv = sys.argv[1:]\nrunpy.run_path(sys.argv[0], run_name='__main__')"
    command = [sys.executable, "-c", program, str(root / "start.py"), *words]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=120)


def test_two_at_once_make_a_half_made_environment_anew_which_is_then_reused_and_added_to(root, capsys):
    (root / ".venv" / "bin").mkdir(parents=True)
    (root / ".venv" / "left_over").touch()

    program = "import pathlib, start; start.prepared(pathlib.Path.cwd(), start.LAB_LOCK)"
    command = [sys.executable, "-c", program]
    both = [subprocess.Popen(command, cwd=root, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    said = "".join(process.communicate(timeout=300)[1] for process in both)
    assert [process.returncode for process in both] == [0, 0], said
    assert said.count(".venv is half made; making .venv from requirements.lock") == 1
    assert said.count("another start.py is making .venv; waiting") == 1
    assert not (root / ".venv" / "left_over").exists()

    began = time.monotonic()
    python = start.prepared(root, start.LAB_LOCK)
    assert time.monotonic() - began < 1
    assert subprocess.check_output([python, "-m", "labkit"], cwd=root, text=True).strip() == "labkit runs"
    assert capsys.readouterr().err == ""

    (root / ".venv" / "kept").touch()
    start.prepared(root, start.TEST_LOCK)
    assert "adding what the tests need" in capsys.readouterr().err
    assert (root / ".venv" / "kept").exists()

    (root / "pyproject.toml").write_text(PROJECT + "# changed\n")
    start.prepared(root, start.LAB_LOCK)  # labkit is installed again, the packages stay
    assert "making" not in capsys.readouterr().err
    assert (root / ".venv" / "kept").exists()

    start.prepared(root, start.TEST_LOCK)
    assert capsys.readouterr().err == ""


@pytest.mark.skipif(os.name == "nt", reason="a Python by another name is a shell script here")
def test_no_network_is_said_and_leaves_no_stamp(root):
    pin(root, start.LAB_LOCK)
    python = start.python_in(root)
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    (root / "build").mkdir()

    with pytest.raises(start.CannotStart, match=r"no package index .* could be reached.*build/start\.log"):
        start.install(root, start.LAB_LOCK)

    assert start.stamp_of(root) == []


@pytest.fixture
def finished(root: Path) -> Path:
    """A repository whose environment looks finished for the lab; nothing in it can run."""
    python = start.python_in(root)
    python.parent.mkdir(parents=True)
    python.touch()
    (root / ".venv" / "labkit.stamp").write_text("\n".join(start.wanted(root, start.LAB_LOCK)))
    return root


def test_finished_environment_is_ready_for_the_lab_only(finished):
    assert start.is_ready(finished, start.LAB_LOCK)
    assert not start.is_ready(finished, start.TEST_LOCK)


@pytest.mark.parametrize("file", ["requirements.lock", "pyproject.toml"])
def test_changed_pins_make_an_environment_stale(finished, file):
    with (finished / file).open("a") as changed:
        changed.write("\n")

    assert not start.is_ready(finished, start.LAB_LOCK)


def test_other_python_makes_an_environment_stale(finished, monkeypatch):
    monkeypatch.setattr(sys, "version_info", (3, 99, 0))

    assert not start.is_ready(finished, start.LAB_LOCK)


def test_moved_folder_makes_an_environment_stale(finished, tmp_path):
    moved = finished.rename(tmp_path / "moved")

    assert not start.is_ready(moved, start.LAB_LOCK)


@pytest.mark.parametrize("lost", ["labkit.stamp", start.python_in(Path()).relative_to(".venv")])
def test_environment_without_stamp_or_python_is_half_made(finished, lost):
    (finished / ".venv" / lost).unlink()

    assert start.stamp_of(finished) == []


def test_package_with_another_hash_is_refused(root, tmp_path, monkeypatch):
    wheel = tmp_path / "a_package-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as file:
        file.writestr("a_package-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: a-package\nVersion: 1")
        file.writestr("a_package-1.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any")
        file.writestr("a_package-1.dist-info/RECORD", "")
    pin(root, start.LAB_LOCK, hashed=hashlib.sha256(b"another").hexdigest())
    download = [sys.executable, "-m", "pip", "download", "--no-index", "--require-hashes", "-r", start.LAB_LOCK]
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))

    said = subprocess.run([*download, "-d", str(tmp_path / "got")], cwd=root, capture_output=True, text=True).stderr

    assert "not the one that the lock pins" in start.why_not(said)


@pytest.mark.parametrize(
    ("log", "reason"),
    [
        ("WARNING: x\nERROR: No space left on device\nERROR: y", "No space left on device"),
        ("", "the packages could not be installed"),
        ("WARNING: Retrying after NewConnectionError\nERROR: No matching distribution", "no package index"),
    ],
)
def test_reason_is_what_the_installer_said_first(log, reason):
    assert start.why_not(log).startswith(reason)


def only_line(text: str) -> str:
    """The one line there is; a traceback would be several."""
    (line,) = text.splitlines()
    return line


def test_too_old_a_python_is_told_so_before_anything_is_made(root):
    ended = run(root, before="sys.version_info, sys.version = (3, 10, 13), '3.10.13 (old)'")

    assert ended.returncode == 2
    assert only_line(ended.stderr) == "start.py: this is Python 3.10.13; the lab needs 3.11 or newer"
    assert not (root / "build").exists()


def test_python_without_ensurepip_is_told_what_to_install(root):
    ended = run(root, before="sys.modules['ensurepip'] = None")

    assert ended.returncode == 2
    assert "apt install python3-venv" in ended.stderr.splitlines()[-1]


@pytest.mark.parametrize("in_the_way", ["build", ".venv"])
def test_folder_that_cannot_be_used_is_named(root, in_the_way):
    (root / in_the_way).write_text("a file")

    ended = run(root)

    assert ended.returncode == 2
    assert f"cannot use {root / in_the_way}" in ended.stderr.splitlines()[-1]
    assert (root / in_the_way).read_text() == "a file"


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="here anything can be written")
def test_unwritable_folder_is_named(root):
    root.chmod(0o555)

    ended = run(root)

    assert ended.returncode == 2
    assert "Permission denied; is the folder yours?" in only_line(ended.stderr)


@pytest.mark.parametrize(
    "words",
    [["--only", "lint"], ["--require-browser"], ["test", "--no-browser"], ["test", "--fresh", "05"], ["tset"]],
)
def test_option_of_the_other_command_is_wrong_use(words):
    with pytest.raises(SystemExit) as ended:
        start.main(words)

    assert ended.value.code == 2


def asked(only: str | None = None, *, require_browser: bool = False) -> argparse.Namespace:
    return argparse.Namespace(only=only, require_browser=require_browser)


@pytest.mark.parametrize(
    ("only", "first_words"),
    [
        (None, ["ruff", "ruff", "pyrefly", "pytest", "labkit"]),
        ("lint", ["ruff", "ruff", "pyrefly"]),
        ("tests", ["pytest"]),
        ("notebooks", ["labkit"]),
    ],
)
def test_parts_are_lint_tests_and_notebooks_and_make_the_whole(only, first_words):
    assert [words[0] for words in start.chosen_steps(asked(only))] == first_words


def test_only_pytest_is_told_that_a_browser_is_required():
    steps = start.chosen_steps(asked(require_browser=True))

    assert [words for words in steps if "--require-browser" in words] == [("pytest", "--require-browser")]


@pytest.mark.parametrize(
    ("modules", "code", "closing"),
    [
        (["platform", "no_such_module", "platform"], 1, "2 passed, 1 failed"),
        (["platform"], 0, "1 passed, 0 failed"),
    ],
)
def test_steps_go_on_after_a_failure_and_close_with_the_count(modules, code, closing, capfd):
    assert start.run_steps(Path(sys.executable), [(module,) for module in modules]) == code

    lines = capfd.readouterr().out.splitlines()
    assert lines[-1] == closing
    assert [line.split()[0] for line in lines[-2 - len(modules) : -2]] == [
        "FAILED" if module == "no_such_module" else "ok" for module in modules
    ]


def test_steps_find_the_tools_of_the_environment_first():
    settings = start.surroundings(Path("/lab/.venv/bin/python"))

    assert settings["PATH"].split(os.pathsep)[0] == str(Path("/lab/.venv/bin"))
    assert settings["VIRTUAL_ENV"] == str(Path("/lab/.venv"))


@pytest.mark.skipif(os.name == "nt", reason="Windows cannot send Ctrl-C to one group of processes")
def test_ctrl_c_ends_the_step_that_runs_and_the_command_with_130(finished):
    (finished / ".venv" / "labkit.stamp").write_text("\n".join(start.wanted(finished, start.TEST_LOCK)))
    python = start.python_in(finished)
    python.write_text("#!/bin/sh\necho running\nexec sleep 60\n")
    python.chmod(0o755)
    command = [sys.executable, "start.py", "test", "--only", "tests"]
    with subprocess.Popen(
        command, cwd=finished, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdout is not None
        assert any(line == "running\n" for line in process.stdout)

        os.killpg(process.pid, signal.SIGINT)

        # Both ends of the pipes are closed before a minute is over, so the step has ended too.
        assert process.communicate(timeout=20)[1] == "start.py: stopped\n"
    assert process.returncode == 130


def test_start_needs_the_standard_library_only_and_reads_as_an_older_python():
    tree = ast.parse(SOURCE.read_text(encoding="utf-8"), feature_version=(3, 7))

    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in imported} <= sys.stdlib_module_names
    assert not any(isinstance(node, ast.Match | ast.NamedExpr) for node in ast.walk(tree))


def test_start_is_short_enough_to_be_read_before_it_is_run():
    assert len(SOURCE.read_text(encoding="utf-8").splitlines()) <= 250
