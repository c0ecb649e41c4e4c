"""What is wrong with an environment, and how to mend it: one finding a line."""

import importlib.util
import os
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

OLDEST_PYTHON = (3, 11)
REMAKE = "`python3 start.py` makes the environment that the lock describes"
TEST_TOOLS = "`python3 start.py test` adds the test tools"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@dataclass(frozen=True)
class Finding:
    """One thing looked at; `mend` is empty when it is well, and only what the lab needs makes it sick."""

    subject: str
    seen: str
    mend: str = ""
    needed: bool = True

    @property
    def is_sick(self) -> bool:
        """Whether the lab cannot do its work before this is mended."""
        return self.needed and bool(self.mend)

    def __str__(self) -> str:
        state = "ok" if not self.mend else "wrong" if self.needed else "absent"
        return f"{state:8}{self.subject:10}{self.seen}" + (f"; {self.mend}" if self.mend else "")


def examine() -> int:
    """Print what was found in this environment; 1 when the lab cannot work in it, else 0."""
    import typer

    findings = diagnose(Path(__file__).resolve().parents[1])
    for finding in findings:
        typer.echo(str(finding))
    return int(any(finding.is_sick for finding in findings))


def diagnose(root: Path) -> list[Finding]:
    """Look at everything the lab under `root` needs, and then at what only its tests need."""
    return [
        python_version(sys.version_info[:3]),
        packages(root / "requirements.lock"),
        kernel(),
        work_folder(root / "work"),
        full_text_search(),
        nbval(),
        chromium(),
    ]


def python_version(running: tuple[int, ...]) -> Finding:
    """Whether this Python is new enough."""
    seen = ".".join(map(str, running))
    well = running >= OLDEST_PYTHON
    return Finding("Python", seen, "" if well else "the lab needs 3.11 or newer: install it, then `python3 start.py`")


def packages(lock: Path) -> Finding:
    """Whether every package that the lock pins for this system is here, at its version."""
    if not lock.exists():
        return Finding("packages", f"there is no {lock.name}", "`labkit doctor` needs the repository: clone it again")
    other = list(differences(lock.read_text(encoding="utf-8")))
    if not other:
        return Finding("packages", f"as {lock.name} pins them")
    more = f" and {len(other) - 3} more" if len(other) > 3 else ""
    return Finding("packages", ", ".join(other[:3]) + more, REMAKE)


def differences(lock: str) -> Iterable[str]:
    """In words, each pin that applies to this system and is not what is installed."""
    from packaging.requirements import Requirement

    for line in lock.splitlines():
        if not line[:1].isalnum():
            continue
        wanted = Requirement(line.removesuffix("\\"))
        if wanted.marker and not wanted.marker.evaluate():
            continue
        try:
            installed = version(wanted.name)
        except PackageNotFoundError:
            yield f"{wanted.name} is missing"
            continue
        if installed not in wanted.specifier:
            yield f"{wanted.name} is {installed}, the lock has {str(wanted.specifier).removeprefix('==')}"


def kernel() -> Finding:
    """Whether the kernel `python3`, which every lesson names, runs this very interpreter."""
    try:
        from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel
    except ModuleNotFoundError:
        return Finding("kernel", "jupyter_client is missing", REMAKE)
    try:
        runs = KernelSpecManager().get_kernel_spec("python3").argv[0]
    except NoSuchKernel:
        return Finding("kernel", "there is no kernel python3", REMAKE)
    # A bare name stands for the interpreter that starts the kernel.
    if runs in ("python", "python3") or os.path.abspath(runs) == os.path.abspath(sys.executable):
        return Finding("kernel", "python3 runs this interpreter")
    return Finding("kernel", f"python3 runs {runs}", "`python3 -m ipykernel install --sys-prefix` puts ours before it")


def work_folder(work: Path) -> Finding:
    """Whether the learner's copy can be written; the folder itself is made by `labkit lab`."""
    place = work if work.exists() else work.parent
    try:
        with tempfile.TemporaryFile(dir=place):
            return Finding("work", f"{work.name}/ can be written")
    except OSError as error:
        return Finding(
            "work", f"{work.name}/: {error.strerror}", "put the repository into a folder that you may write to"
        )


def full_text_search() -> Finding:
    """Whether this Python's SQLite has FTS5, on which `search` stands."""
    with closing(sqlite3.connect(":memory:")) as database:
        try:
            database.execute("CREATE VIRTUAL TABLE probe USING fts5(text)")
        except sqlite3.OperationalError:
            seen = f"SQLite {sqlite3.sqlite_version} has no FTS5"
            return Finding("SQLite", seen, "use a Python whose SQLite has it, from python.org or conda")
    return Finding("SQLite", f"{sqlite3.sqlite_version}, with FTS5")


def nbval() -> Finding:
    """Whether the notebook gate can run."""
    if importlib.util.find_spec("nbval"):
        return Finding("nbval", "here, so `labkit check` can run")
    return Finding("nbval", "not here, and only `labkit check` needs it", TEST_TOOLS, needed=False)


def chromium() -> Finding:
    """Whether the browser tests can run."""
    if chromium_path():
        return Finding("Chromium", "here, so the browser tests can run")
    return Finding("Chromium", "not here, and only the browser tests need it", "install it to run them", needed=False)


def chromium_path() -> str | None:
    """Where Chromium is; the variable LABKIT_CHROMIUM names one that is not on the path."""
    named = [os.environ["LABKIT_CHROMIUM"]] if "LABKIT_CHROMIUM" in os.environ else BROWSERS
    return next(filter(None, map(shutil.which, named)), None)
