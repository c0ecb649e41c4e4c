"""The standard check of recorded notebooks, `pytest --nbval`, run strictly on one notebook in a process of its own."""

import asyncio
import importlib.util
import os
import re
import signal
import sys
import uuid
import xml.etree.ElementTree as ET
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labkit.nbtools.forked import NotForked, fork, zygote_of
from labkit.nbtools.kernels import CELL_SECONDS
from labkit.nbtools.provisioner import forking
from labkit.nbtools.surroundings import kernel_environment

OPTIONS = (
    "--nbval",
    "--nbval-current-env",
    f"--nbval-cell-timeout={CELL_SECONDS}",
    "--noconftest",
    "--color=no",
    *("-p", "labkit.nbtools"),  # first: it keeps a slow import of nbformat's out of the process
    *("-p", "nbval.plugin"),
    *("-p", "no:cacheprovider"),
)
"""No sanitising, no settings of any project, no plugin but the one: what is recorded is what must come out."""

WHOLE_SECONDS = 600
"""How long one notebook may take in all; the whole series takes a fraction of it."""


class NoNbval(Exception):
    """nbval or pytest is not there or cannot be started; the message says how to mend it."""


@dataclass(frozen=True)
class Complaint:
    """What nbval said of one code cell, which it counts from 0; None when it is about the whole notebook."""

    code_cell: int | None
    text: str


async def nbval(path: Path, home: Path) -> tuple[Complaint, ...]:
    """All that nbval has against the notebook; NoNbval when it cannot be run."""
    for module in ("pytest", "nbval"):
        if importlib.util.find_spec(module) is None:
            raise NoNbval(f"{module} cannot be imported by {sys.executable}; `python3 start.py test` installs it.")
    settings, report = home / "pytest.ini", home / f"nbval-{uuid.uuid4().hex}.xml"
    settings.write_text("[pytest]\n", encoding="utf-8")
    try:
        said = await _run(["-c", str(settings), f"--rootdir={home}", f"--junitxml={report}", str(path)], home)
    except NotForked as error:
        raise NoNbval(f"no pytest of {sys.executable} could be forked: {error}; run the check again.") from error
    if not report.exists():
        return (Complaint(None, f"nbval did not finish: {said[-400:]}"),)
    return tuple(_complaints(report.read_text(encoding="utf-8")))


async def _run(arguments: list[str], home: Path) -> str:
    """What it writes, once it has ended; it is ended when that takes too long."""
    log = home / f"nbval-{uuid.uuid4().hex}.log"
    try:
        async with _process([*OPTIONS, *arguments], home, log) as ended:
            await asyncio.wait_for(ended(), WHOLE_SECONDS)
    except TimeoutError:
        return f"it took longer than {WHOLE_SECONDS} s"
    return log.read_text(encoding="utf-8", errors="replace")


@asynccontextmanager
async def _process(
    arguments: list[str], home: Path, log: Path
) -> AsyncGenerator[Callable[[], Coroutine[Any, Any, int]]]:
    """pytest in a process of its own, forked where that can be; gives how to wait for its end, and ends it."""
    environment = kernel_environment(home) | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"} | forking(home)
    zygote = zygote_of(home, "nbval")
    with log.open("wb") as output:
        if zygote.exists():
            streams = output.fileno(), output.fileno()
            forked = await fork(zygote, "pytest", arguments, folder=home, environment=environment, streams=streams)
            try:
                yield forked.ended
            finally:
                forked.send_signal(signal.SIGKILL)
                await forked.ended()
        else:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "pytest", *arguments),
                cwd=home,
                env=environment,
                stdout=output,
                stderr=output,
                start_new_session=True,  # one group with its kernel, to be ended together
            )
            try:
                yield process.wait
            finally:
                await _end(process)


async def _end(process: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    await process.wait()


def _complaints(report: str) -> Iterator[Complaint]:
    for case in ET.fromstring(report).iter("testcase"):
        for kind in ("failure", "error"):
            for trouble in case.iter(kind):
                number = re.fullmatch(r"Cell (\d+)", case.get("name", ""))
                yield Complaint(int(number[1]) if number else None, _reason(trouble.text or trouble.get("message", "")))


def _reason(said: str) -> str:
    """What nbval found, on one line, without colours and without the code of the cell."""
    plain = re.sub(r"(#x1B|\x1b)\[[\d;]*m", "", said)
    reason = re.sub(r"\A.*?\nTraceback:\n", "", plain, flags=re.DOTALL)
    return " ".join(reason.split())
