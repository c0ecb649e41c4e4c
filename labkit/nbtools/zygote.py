"""A process that forks itself for each one that is asked for, on Linux; what it has imported, they need not.

Each is a process of its own, with a copy of everything. It is killed when whoever asked for it is gone, with all it
started, and so are all of them when the zygote's own stdin is closed.
"""

import ctypes
import importlib
import json
import os
import selectors
import signal
import socket
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

MESSAGE_BYTES = 1 << 17
"""Room for one message: a command line and an environment."""

PR_SET_PDEATHSIG = 1
"""Linux's number for: send this process a signal when its parent dies."""


@dataclass(frozen=True)
class Request:
    """A module to run as `python -m` does, with these arguments, in this folder and environment."""

    module: str
    arguments: list[str]
    folder: str
    environment: dict[str, str]


@dataclass(frozen=True)
class Forked:
    """A process, the client whose it is, and the file that can be read when it has ended."""

    pid: int
    client: socket.socket
    end: int

    def signal(self, number: int) -> None:
        """To the process and all it started; before it has been waited for its number is nobody else's."""
        try:
            os.killpg(self.pid, number)
        except ProcessLookupError:  # it has no group yet
            os.kill(self.pid, number)


class Zygote:
    """Waits for clients, for what they say and for the ends of their processes, all in one thread."""

    def __init__(self, listener: socket.socket, set_by_imports: dict[str, str]):
        self._set_by_imports = set_by_imports
        self._waiting = selectors.PollSelector()
        self._forked: dict[socket.socket, Forked] = {}
        self._waiting.register(sys.stdin.fileno(), selectors.EVENT_READ, self._leave)
        self._waiting.register(listener, selectors.EVENT_READ, self._meet)

    def serve(self) -> Request:
        """Forks for each client; returns in every new process, and in this one never."""
        while True:
            key, _ = self._waiting.select()[0]  # one at a time: what it does may make the next one void
            if request := key.data(key.fileobj):
                return request

    def _meet(self, listener: socket.socket) -> None:
        client, _ = listener.accept()
        self._waiting.register(client, selectors.EVENT_READ, self._hear)

    def _hear(self, client: socket.socket) -> Request | None:
        """A request first, then signals as numbers; a client that is gone has its process killed."""
        try:
            said, streams, _, _ = socket.recv_fds(client, MESSAGE_BYTES, 2)
        except ConnectionError:
            said, streams = b"", list[int]()
        forked = self._forked.get(client)
        if not said:
            self._waiting.unregister(client)
            if forked is None:
                client.close()
        if forked is not None:
            forked.signal(json.loads(said) if said else signal.SIGKILL)
        return self._fork(client, Request(**json.loads(said)), streams) if said and forked is None else None

    def _fork(self, client: socket.socket, request: Request, streams: list[int]) -> Request | None:
        zygote, pid = os.getpid(), os.fork()
        if pid == 0:
            self._let_go(client)
            _become(request, streams, zygote, self._set_by_imports)
            client.send(json.dumps({"pid": os.getpid()}).encode())  # from now on its group can be signalled
            client.close()
            return request
        for stream in streams:
            os.close(stream)
        forked = self._forked[client] = Forked(pid, client, os.pidfd_open(pid))
        self._waiting.register(forked.end, selectors.EVENT_READ, partial(self._bury, forked))
        return None

    def _bury(self, forked: Forked, _end: int) -> None:
        """What the ended process started is killed, and its client told how it ended."""
        forked.signal(signal.SIGKILL)
        _, status = os.waitpid(forked.pid, 0)
        for file in (forked.end, forked.client):
            with suppress(KeyError):  # a client that is gone is not listened to any more
                self._waiting.unregister(file)
        with suppress(ConnectionError):
            forked.client.send(json.dumps({"status": os.waitstatus_to_exitcode(status)}).encode())
        os.close(forked.end)
        forked.client.close()
        del self._forked[forked.client]

    def _leave(self, _stdin: int) -> None:
        for forked in self._forked.values():
            forked.signal(signal.SIGKILL)
        os._exit(0)

    def _let_go(self, client: socket.socket) -> None:
        """Close what is not the new process's own: while it held a client's channel, no end of it would be seen."""
        for key in list(self._waiting.get_map().values()):
            if isinstance(key.fileobj, int):
                os.close(key.fileobj)
            elif key.fileobj is not client:
                key.fileobj.close()  # type: ignore[union-attr]


def _become(request: Request, streams: list[int], zygote: int, set_by_imports: dict[str, str]) -> None:
    """Everything that a process started anew would have of its own."""
    os.setsid()
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != zygote:  # it died before that took hold
        os._exit(1)
    os.open(os.devnull, os.O_RDONLY)  # stdin: its number is the lowest that is free
    for number, stream in enumerate(streams, 1):
        os.dup2(stream, number)
        os.close(stream)
    if _of_python(request.environment) != _of_python(dict(os.environ)):
        sys.exit("PYTHON... variables are read once, when a process starts: a fork cannot have others")
    os.environ.clear()
    os.environ.update(request.environment | set_by_imports, JPY_PARENT_PID=str(zygote))
    time.tzset()
    os.chdir(request.folder)
    sys.path.insert(0, request.folder)
    sys.argv[1:] = request.arguments
    sys.orig_argv[:] = [sys.executable, "-m", request.module, *request.arguments]
    if random := sys.modules.get("numpy.random"):
        random.seed()  # the standard library's does so by itself
    importlib.invalidate_caches()


def _of_python(environment: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if name.startswith("PYTHON")}
