"""Make or reuse the lab's own environment in .venv, then open the lab or test it.

    python3 start.py          JupyterLab on the first lesson
    python3 start.py test     lint, types, tests and the notebook gate

Standard library only, in the syntax of Python 3.6, so that an older Python says so in one line.
"""

import argparse
import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

if sys.version_info < (3, 11):
    sys.stderr.write(f"start.py: this is Python {sys.version.split()[0]}; the lab needs 3.11 or newer\n")
    sys.exit(2)

ROOT = Path(__file__).resolve().parent
LAB_LOCK = "requirements.lock"
TEST_LOCK = "requirements-dev.lock"  # holds all of LAB_LOCK at the same versions
STEPS = (
    ("lint", ("ruff", "check")),
    ("lint", ("ruff", "format", "--check")),
    ("lint", ("pyrefly", "check")),
    ("tests", ("pytest",)),
    ("notebooks", ("labkit", "check")),
)
LOG = "build/start.log"


class CannotStart(Exception):
    """What is wrong and how to mend it, in one line for whoever sits at the terminal."""


def main(words: list[str] | None = None) -> int:
    """Do what the command line asks; 0, 1 for a failed step, 2 when nothing could start, 130 after Ctrl-C."""
    asked = parsed(words)
    try:
        if asked.command == "test":
            return run_steps(prepared(ROOT, TEST_LOCK), chosen_steps(asked))
        return open_lab(prepared(ROOT, LAB_LOCK), asked)
    except CannotStart as error:
        say(str(error))
        return 2
    except KeyboardInterrupt:
        say("stopped")
        return 130


def parsed(words: list[str] | None) -> argparse.Namespace:
    """The command line, checked: the options of one command are refused with the other."""
    parser = argparse.ArgumentParser(prog="start.py", description="Open the lab, or test it, in its own environment.")
    parser.add_argument("command", nargs="?", choices=["lab", "test"], default="lab", help="lab when left out")
    parser.add_argument("--no-browser", action="store_true", help="lab: print the address, open no browser")
    parser.add_argument("--fresh", action="append", metavar="NN", help="lab: lay a lesson anew; yours is backed up")
    parser.add_argument("--only", choices=["lint", "tests", "notebooks"], help="test: one part")
    parser.add_argument("--require-browser", action="store_true", help="test: fail where Chromium is missing")
    asked = parser.parse_args(words)
    if asked.command == "lab" and (asked.only or asked.require_browser):
        parser.error("--only and --require-browser belong to: start.py test")
    if asked.command == "test" and (asked.no_browser or asked.fresh):
        parser.error("--no-browser and --fresh belong to: start.py lab")
    return asked


def prepared(root: Path, lock: str) -> Path:
    """The Python of an environment that holds every pin of the lock: reused, added to, or made."""
    try:
        if not is_ready(root, lock):
            (root / "build").mkdir(exist_ok=True)
            with alone(root / "build" / "start.lock"):
                if not is_ready(root, lock):  # whoever held the lock may have made it
                    make(root, lock)
    except OSError as error:
        raise CannotStart(f"cannot use {error.filename or root}: {error.strerror}; is the folder yours?") from error
    return python_in(root)


def python_in(root: Path) -> Path:
    return root / ".venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def wanted(root: Path, lock: str) -> list[str]:
    """What a finished stamp says: a digest of the pins, the Python and the place, and one of labkit's metadata."""
    pins = f"{root}\n{sys.version_info[:2]}\n".encode() + (root / lock).read_bytes()
    return [hashlib.sha256(content).hexdigest() for content in (pins, (root / "pyproject.toml").read_bytes())]


def stamp_of(root: Path) -> list[str]:
    """How far it came: nothing for an environment that is missing, broken or half made; then pins; then labkit."""
    stamp = root / ".venv" / "labkit.stamp"
    return stamp.read_text().split() if stamp.exists() and python_in(root).exists() else []


def is_ready(root: Path, lock: str) -> bool:
    return stamp_of(root) in (wanted(root, lock), wanted(root, TEST_LOCK))


def make(root: Path, lock: str) -> None:
    """Do what is missing, from nothing if need be; the stamp is written when a part is whole."""
    started, place, pins = time.monotonic(), root / ".venv", stamp_of(root)[:1]
    if pins not in (wanted(root, lock)[:1], wanted(root, TEST_LOCK)[:1]):
        if pins == wanted(root, LAB_LOCK)[:1]:
            say(f"adding what the tests need to .venv, from {lock}")
        else:
            why = (".venv was made from other pins; " if pins else ".venv is half made; ") if place.exists() else ""
            say(f"{why}making .venv from {lock}: a minute or so, once")
            create_empty(place)
        install(root, lock)
        pins = wanted(root, lock)[:1]
        (place / "labkit.stamp").write_text(pins[0])
    install_labkit(root)
    (place / "labkit.stamp").write_text("\n".join(pins + wanted(root, lock)[1:]))
    say(f".venv is ready after {time.monotonic() - started:.0f} s")


def create_empty(place: Path) -> None:
    """An environment with pip and nothing else, in place of whatever was there."""
    if not (importlib.util.find_spec("venv") and importlib.util.find_spec("ensurepip")):
        raise CannotStart("this Python has no venv or no ensurepip; on Debian and Ubuntu: apt install python3-venv")
    import venv

    (place / "labkit.stamp").unlink(missing_ok=True)  # first, so that a stop in between is seen as half made
    try:
        venv.create(place, clear=True, with_pip=True)
    except subprocess.CalledProcessError as error:
        raise CannotStart("this Python could not put pip into .venv; `python3 -m ensurepip` says why") from error


def install(root: Path, lock: str) -> None:
    """Every pin of the lock, checked against its hashes; where pip fetches from is the person's own setting."""
    pins = ["install", "--quiet", "--require-hashes", "--requirement", lock]
    uv = shutil.which("uv")
    if uv and not run_logged([uv, "pip", *pins, "--python", str(python_in(root))], root):
        return
    # uv knows nothing of pip's mirrors, so what it could not fetch pip may.
    if run_logged([str(python_in(root)), "-m", "pip", *pins], root):
        raise CannotStart(f"{why_not((root / LOG).read_text(errors='replace'))}; the whole story is in {LOG}")


def install_labkit(root: Path) -> None:
    """labkit itself, as it stands in this folder; its build tool is in the lock, so nothing is fetched."""
    options = ["--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--editable", "."]
    if run_logged([str(python_in(root)), "-m", "pip", "install", *options], root):
        raise CannotStart(f"labkit itself could not be installed; the whole story is in {LOG}")


def run_logged(command: list[str], root: Path) -> int:
    settings = {**os.environ, "PIP_USER": "0"}  # a user install would end outside .venv
    with (root / LOG).open("w", encoding="utf-8") as log:
        return subprocess.call(command, cwd=str(root), env=settings, stdout=log, stderr=subprocess.STDOUT)


def why_not(log: str) -> str:
    """The reason behind a failed install, from what pip said."""
    if "DO NOT MATCH THE HASHES" in log:
        return "a package is not the one that the lock pins: it was changed on the way, or your mirror holds another"
    if re.search("NewConnection|name resolution|refused|timed out|ProxyError|from versions: none", log):
        return "no package index with these packages could be reached; go online, or point pip at a mirror"
    said = re.search("^ERROR: (.*)", log, re.MULTILINE)
    return said[1] if said else "the packages could not be installed"


@contextmanager
def alone(path: Path) -> Generator[None]:
    """Hold a lock on the file while the block runs; the system lets go of it when a process dies."""
    with path.open("a") as held:
        if not locked(held):
            say("another start.py is making .venv; waiting for it")
            while not locked(held):
                time.sleep(0.2)
        yield


def locked(held: IO[str]) -> bool:
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(held.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):  # what the two systems say when somebody holds it
        return False
    return True


def open_lab(python: Path, asked: argparse.Namespace) -> int:
    """`labkit lab` in place of this process, so that Ctrl-C and kill reach it; Windows has no such thing and waits."""
    fresh = [word for number in asked.fresh or [] for word in ("--fresh", number)]
    command = [str(python), "-m", "labkit", "lab", *fresh, *(["--no-browser"] if asked.no_browser else [])]
    if os.name != "nt":
        os.execve(command[0], command, surroundings(python))
    return call(command, surroundings(python))


def chosen_steps(asked: argparse.Namespace) -> list[tuple[str, ...]]:
    options = {"pytest": ("--require-browser",)} if asked.require_browser else {}
    return [words + options.get(words[0], ()) for part, words in STEPS if asked.only in (None, part)]


def run_steps(python: Path, steps: list[tuple[str, ...]]) -> int:
    """Run every step, the later ones after a failure too, and close with how many passed."""
    lines = []
    for words in steps:
        print(f"\n== {' '.join(words)}", flush=True)
        started = time.monotonic()
        code = call([str(python), "-m", *words], surroundings(python))
        lines.append(f"{'FAILED' if code else 'ok':8}{' '.join(words):30}{time.monotonic() - started:7.1f} s")
    failed = sum(line.startswith("FAILED") for line in lines)
    print("\n" + "\n".join(lines) + f"\n\n{len(lines) - failed} passed, {failed} failed", flush=True)
    return 1 if failed else 0


def call(command: list[str], settings: dict[str, str]) -> int:
    """The exit code of a child; after Ctrl-C, which the terminal sends it too, it is given time to end."""
    child = subprocess.Popen(command, cwd=str(ROOT), env=settings)
    try:
        return child.wait()
    except KeyboardInterrupt:
        try:
            child.wait(timeout=15)
        except (subprocess.TimeoutExpired, KeyboardInterrupt):
            child.terminate()
        raise


def surroundings(python: Path) -> dict[str, str]:
    """As after `activate`: tools that look for Python or for each other find those of the environment."""
    path = os.pathsep.join([str(python.parent), os.environ.get("PATH", "")])
    return {**os.environ, "VIRTUAL_ENV": str(python.parent.parent), "PATH": path}


def say(line: str) -> None:
    print(f"start.py: {line}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
