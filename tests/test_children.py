"""A server in a process of its own is started on a free port and ended on every way out."""

import contextlib
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import httpx
import pytest

from labkit.driver import children
from labkit.driver.children import free_port, serving
from labkit.errors import ConfigError
from labkit.service.listen import listening

SECONDS = 60
HOLDER = """
import sys
from labkit.driver.children import serving
with serving("access") as address:
    print(address, flush=True)
    {then}
"""


@pytest.fixture
def stand_in(tmp_path, monkeypatch):
    """Puts a shell script in the place of Python: what it does, a server does."""
    if os.name != "posix":
        pytest.skip("no shell scripts here")

    def put(*lines):
        script = tmp_path / "stand_in"
        script.write_text("\n".join(["#!/bin/sh", *lines, ""]))
        script.chmod(0o755)
        monkeypatch.setattr(sys, "executable", str(script))

    return put


def is_gone(process):
    """Whether no process has this number, not even one that ended and that nobody has asked for its exit code."""
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return True
    return False


def answers(address):
    """Whether somebody listens there."""
    host, port = address.removeprefix("http://").split(":")
    with socket.socket() as connection:
        return connection.connect_ex((host, int(port))) == 0


def test_server_answers_inside_the_block_and_is_gone_after_it():
    with serving("access") as address:
        inside = httpx.post(address + "/search", trust_env=False).status_code

    assert inside == 401
    assert not answers(address)


def test_port_that_was_taken_meanwhile_is_not_fatal():
    with listening() as taken:
        ports = iter([taken.getsockname()[1]])
        with serving("access", port=lambda: next(ports, None) or free_port()) as address:
            assert answers(address)
            assert address != f"http://127.0.0.1:{taken.getsockname()[1]}"


def test_ports_that_are_all_taken_end_in_a_sentence(monkeypatch):
    monkeypatch.setattr(children, "TRIES", 2)

    with listening() as taken:
        tried = []

        with (
            pytest.raises(ConfigError, match="no_server: the access lab did not start: labkit: port_taken"),
            serving("access", port=lambda: tried.append(1) or taken.getsockname()[1]),
        ):
            pass

    assert len(tried) == 2


def test_server_that_cannot_start_is_told_with_its_own_words_and_tried_once():
    tried = []

    with (
        pytest.raises(ConfigError, match="invalid_ttl"),
        serving("results", "--ttl=0", port=lambda: tried.append(1) or free_port()),
    ):
        pass

    assert tried == [1]


def test_server_that_ends_without_a_word_is_told_so(stand_in):
    stand_in("exit 3")

    with pytest.raises(ConfigError, match="the access lab did not start: it ended without a word"), serving("access"):
        pass


def test_server_that_is_busy_is_asked_to_end(stand_in, monkeypatch):
    stand_in('echo "$$"', f"exec sleep {SECONDS}")  # what it holds open is of no interest to it
    monkeypatch.setattr(children, "SECONDS_TO_END", SECONDS)

    started = time.monotonic()
    with serving("access") as process:
        assert not is_gone(process)

    assert is_gone(process)
    assert time.monotonic() - started < SECONDS / 2


def test_server_that_does_not_listen_to_that_is_ended_all_the_same(stand_in, monkeypatch):
    stand_in('trap "" TERM', 'echo "$$"', f"exec sleep {SECONDS}")
    monkeypatch.setattr(children, "SECONDS_TO_END", 0.1)

    started = time.monotonic()
    with serving("access") as process:
        assert not is_gone(process)

    assert is_gone(process)
    assert time.monotonic() - started < SECONDS / 2


def test_driver_that_is_stopped_while_its_server_starts_leaves_none(stand_in, tmp_path):
    # A second, so that whoever is stopped has begun to wait for its word.
    stand_in(f'echo "$$" > "{tmp_path}/process"', "sleep 1", 'kill -INT "$PPID"', f"exec sleep {SECONDS}")

    with pytest.raises(KeyboardInterrupt), serving("access"):
        pass

    assert is_gone((tmp_path / "process").read_text())


def test_error_inside_the_block_ends_the_server_too():
    with pytest.raises(RuntimeError), serving("access") as address:
        raise RuntimeError

    assert not answers(address)


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_stopped_driver_leaves_no_server(stop):
    program = [sys.executable, "-c", HOLDER.format(then="sys.stdin.read()")]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(program, text=True, **pipes) as driver:
        address = (driver.stdout or sys.stdin).readline().strip()
        assert answers(address)

        driver.send_signal(stop)
        driver.wait(SECONDS)

    assert not answers(address)


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="to wait for the end of somebody else's child")
def test_killed_driver_leaves_no_server(tmp_path):
    program = [sys.executable, "-m", "labkit", "record", "results", "--output", str(tmp_path / "mine.json")]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as driver:
        first = (driver.stdout or sys.stdin).readline()
        servers = [os.pidfd_open(child) for child in children_of(driver.pid)]

        driver.kill()

    gone = [bool(select.select([server], [], [], SECONDS)[0]) for server in servers]  # readable once it has ended
    for server in servers:
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(server, signal.SIGKILL)  # whatever became of the test, nothing is left
        os.close(server)
    assert first == "first_miss: HTTP 200 cache=miss\n"
    assert gone == [True, True]
    assert list(tmp_path.iterdir()) == []


def children_of(process):
    return map(int, Path(f"/proc/{process}/task/{process}/children").read_text().split())


def test_server_can_be_started_from_another_thread_than_the_main_one():
    seen = []

    def hold():
        with serving("access") as address:
            seen.append(answers(address))

    thread = threading.Thread(target=hold)
    thread.start()
    thread.join()

    assert seen == [True]


def test_signals_are_as_before_when_the_block_is_over():
    before = signal.getsignal(signal.SIGTERM)

    with serving("access"):
        pass

    assert signal.getsignal(signal.SIGTERM) == before
