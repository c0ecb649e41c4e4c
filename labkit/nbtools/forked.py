"""Processes forked from a zygote: how to have one, ask it for a process, signal that and learn of its end."""

import asyncio
import json
import os
import socket
import subprocess
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from labkit.nbtools.surroundings import kernel_environment
from labkit.nbtools.zygote import MESSAGE_BYTES

FORK_SECONDS = 60
"""How long a process may take to be there; the first one waits for the zygote's imports, 1 to 2 s."""

LEAVE_SECONDS = 1
"""How long a zygote may take to kill what it forked; what is left then dies as its parent does."""

GONE = -9
"""How a process has ended that a zygote took along: as if killed."""


class NotForked(Exception):
    """No process came of it; the message says why."""


class ForkedProcess:
    """A process that a zygote forked for this one; jupyter_client looks at it as at a `subprocess.Popen`."""

    stdin = stdout = stderr = None

    def __init__(self, channel: socket.socket, pid: int):
        self._channel = channel
        self.pid = pid
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """How it ended; None while it runs."""
        if self.returncode is None:
            with suppress(BlockingIOError):
                self._hear(_received(self._channel))
        return self.returncode

    def wait(self) -> int | None:
        """What `poll` says: jupyter_client asks when it has ended, to be rid of it."""
        return self.poll()

    async def ended(self) -> int:
        """How it ended, as soon as it has."""
        while self.returncode is None:
            self._hear(await _next(self._channel))
        return self.returncode

    def send_signal(self, number: int) -> None:
        """To the process and to all it started, if it still runs."""
        if self.poll() is None:
            with suppress(ConnectionError):
                self._channel.send(json.dumps(number).encode())

    def close(self) -> None:
        """Let go of it: it is killed when it still runs, as it is when this process ends."""
        self._channel.close()

    def _hear(self, said: dict[str, int]) -> None:
        self.returncode = said.get("status", GONE)
        self.close()


async def fork(
    zygote: Path,
    module: str,
    arguments: Sequence[str],
    *,
    folder: Path,
    environment: Mapping[str, str],
    streams: tuple[int, int],
) -> ForkedProcess:
    """A process that runs the module as `python -m` does, with these files as stdout and stderr; NotForked if none.

    It is killed when this process ends.
    """
    wanted = {"module": module, "arguments": list(arguments), "folder": str(folder), "environment": dict(environment)}
    channel = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    try:
        channel.settimeout(0)
        channel.connect(str(zygote))
        socket.send_fds(channel, [json.dumps(wanted).encode()], streams)
        said = await asyncio.wait_for(_next(channel), FORK_SECONDS)
        if "pid" in said:
            return ForkedProcess(channel, said["pid"])
        raise NotForked(f"it ended with {said['status']}" if said else "what it is forked from has ended")
    except OSError as error:  # time-outs among them
        channel.close()
        raise NotForked(f"what it is forked from does not answer: {error}") from error
    except BaseException:
        channel.close()
        raise


def zygote_of(home: Path, kind: str) -> Path:
    """Where the zygote of a kind is asked for processes; no such file when there is none."""
    return home / f"{kind}.zygote"


@contextmanager
def preloaded(home: Path, *kinds: str) -> Generator[None]:
    """Processes of these kinds can be forked inside the block; where the system cannot do it, nothing is changed."""
    with ExitStack() as zygotes:
        for kind in kinds if can_fork() else ():
            zygotes.enter_context(_zygote(home, kind))
        yield


def can_fork() -> bool:
    """Whether a process can be forked and awaited safely: on Linux, from 5.3; elsewhere libraries forbid the fork."""
    if sys.platform != "linux":
        return False
    try:
        os.close(os.pidfd_open(os.getpid()))
    except (AttributeError, OSError):
        return False
    return True


@contextmanager
def _zygote(home: Path, kind: str) -> Generator[None]:
    """A zygote, still busy with its imports: who asks meanwhile waits. None where the home has too long a name."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        try:
            listener.bind(str(zygote_of(home, kind)))
        except OSError:
            yield
            return
        listener.listen()
        zygote = _started(home, kind, listener)
    try:
        yield
    finally:
        assert zygote.stdin is not None
        zygote.stdin.close()
        try:
            zygote.wait(LEAVE_SECONDS)
        except subprocess.TimeoutExpired:  # still at its imports
            zygote.kill()
            zygote.wait()


def _started(home: Path, kind: str, listener: socket.socket) -> subprocess.Popen[bytes]:
    with (home / f"{kind}.log").open("ab") as log:
        return subprocess.Popen(
            [sys.executable, "-m", "labkit.nbtools.preload", kind, str(listener.fileno())],
            cwd=home,
            env=kernel_environment(home),
            stdin=subprocess.PIPE,  # never written to; it closes when this process ends, in whatever way
            stdout=log,
            stderr=log,
            pass_fds=[listener.fileno()],
            start_new_session=True,  # Ctrl-C is for whoever started this
        )


async def _next(channel: socket.socket) -> dict[str, int]:
    try:
        return _read(await asyncio.get_running_loop().sock_recv(channel, MESSAGE_BYTES))
    except ConnectionError:
        return {}


def _received(channel: socket.socket) -> dict[str, int]:
    try:
        return _read(channel.recv(MESSAGE_BYTES))
    except ConnectionError:
        return {}


def _read(said: bytes) -> dict[str, int]:
    return json.loads(said) if said else {}
