"""A lab's server in a process of its own: on a free port of the loopback, ended on every way out."""

import signal
import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from labkit.errors import ConfigError
from labkit.service.listen import listening

TRIES = 5
"""Ports that are tried before it is given up: between being found free and being used, one can be taken."""
SECONDS_TO_END = 5
PORT_TAKEN = 4
"""The exit code of `labkit serve` that another port would cure."""


def free_port() -> int:
    """A port of the loopback that nobody used a moment ago."""
    with listening() as listener:
        return listener.getsockname()[1]


@contextmanager
def serving(lab: str, *options: str, port: Callable[[], int] = free_port) -> Generator[str]:
    """The address of a new server of this lab, started as `labkit serve` with the options.

    ConfigError `no_server`, with what it said, if it does not start.
    """
    with _stopped_like_ctrl_c():
        child, address = _started(lab, options, port)
        try:
            yield address
        finally:
            _end(child)


def _started(lab: str, options: tuple[str, ...], port: Callable[[], int]) -> tuple[subprocess.Popen[str], str]:
    said = ""
    for _ in range(TRIES):
        command = [sys.executable, "-m", "labkit", "serve", lab, "--while-stdin", "--port", str(port()), *options]
        # Nothing is ever written to its standard input: it ends when this process is gone, even when that was killed.
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        child = subprocess.Popen(command, text=True, **pipes)
        try:
            line = child.stdout.readline() if child.stdout else ""  # it says where it listens once it does
        except BaseException:
            _end(child)
            raise
        if line:
            return child, line.split()[-1]
        said = child.communicate()[1].strip()
        if child.returncode != PORT_TAKEN:
            break
    raise ConfigError("no_server", f"the {lab} lab did not start: {said or 'it ended without a word'}")


def _end(child: subprocess.Popen[str]) -> None:
    child.terminate()
    try:
        child.communicate(timeout=SECONDS_TO_END)
    except subprocess.TimeoutExpired:
        child.kill()
        child.communicate()


@contextmanager
def _stopped_like_ctrl_c() -> Generator[None]:
    """A request to end is KeyboardInterrupt meanwhile: dying of it at once would leave the servers behind."""
    try:
        before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    except ValueError:  # not in the main thread: there, signals do not arrive
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
