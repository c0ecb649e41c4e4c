"""Asking a zygote for processes, and having one."""

import asyncio
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from labkit.nbtools import forked
from labkit.nbtools.forked import NotForked, can_fork, fork, preloaded, zygote_of
from labkit.nbtools.surroundings import kernel_environment, kernel_home

on_linux = pytest.mark.skipif(not can_fork(), reason="processes are forked on Linux only")

OWNER = """\
import asyncio, sys
from labkit.nbtools.forked import fork, preloaded, zygote_of
from labkit.nbtools.surroundings import kernel_environment, kernel_home

async def work(home):
    environment, zygote = kernel_environment(home), zygote_of(home, "nothing")
    process = await fork(zygote, "sleeps", [], folder=home, environment=environment, streams=(1, 2))
    await asyncio.sleep(600)

with kernel_home() as home, preloaded(home, "nothing"):
    asyncio.run(work(home))
"""
SLEEPS = """\
import os, subprocess, time
subprocess.Popen(["sleep", "600"])
print(os.getppid(), flush=True)
time.sleep(600)
"""


@pytest.fixture
def owner(tmp_path):
    """A program of its own that has a zygote and a process forked from it, which has started another."""
    (tmp_path / "sleeps.py").write_text(SLEEPS)
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [sys.executable, "-c", OWNER]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ | {"PYTHONPATH": path}) as process:
        yield process
        process.kill()


def ends(pipe):
    """Whether nobody is left to write into the pipe."""
    return bool(select.select([pipe], [], [], 20)[0]) and pipe.read() == b""


@on_linux
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_nothing_is_left_when_the_owner_ends_in_whatever_way(owner, number):
    owner.stdout.readline()

    owner.send_signal(number)

    assert ends(owner.stdout)


@on_linux
def test_forked_process_dies_with_its_zygote_and_nobody_waits_for_it(tmp_path, monkeypatch):
    (tmp_path / "waits.py").write_text("import time\ntime.sleep(600)\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    async def work(home, log):
        process = await asked(home, "waits", log)
        end = os.pidfd_open(process.pid)
        os.kill(parent_of(process.pid), signal.SIGKILL)
        status = await process.ended()
        gone = select.select([end], [], [], 20)[0]
        os.close(end)
        with pytest.raises(NotForked, match="does not answer"):
            await asked(home, "waits", log)
        return status, bool(gone)

    with kernel_home() as home, preloaded(home, "nothing"), (home / "log").open("wb") as log:
        assert asyncio.run(work(home, log)) == (forked.GONE, True)


@on_linux
def test_zygote_that_ends_at_its_start_is_told_of(tmp_path, monkeypatch):
    (tmp_path / "sitecustomize.py").write_text("import os\nos._exit(3)\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    with kernel_home() as home, preloaded(home, "nothing"), (home / "log").open("wb") as log:
        asking = asked(home, "waits", log)
        with pytest.raises(NotForked, match="is forked from"):
            asyncio.run(asking)


@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_where_a_fork_is_unsafe_nothing_is_forked(system, monkeypatch):
    monkeypatch.setattr(sys, "platform", system)

    with kernel_home() as home, preloaded(home, "kernel"):
        assert not zygote_of(home, "kernel").exists()


def test_where_the_kernel_is_too_old_nothing_is_forked(monkeypatch):
    monkeypatch.delattr(os, "pidfd_open", raising=False)

    assert not can_fork()


@on_linux
def test_home_too_deep_for_a_socket_s_name_has_no_zygote(tmp_path):
    home = tmp_path / ("deep" * 30)
    home.mkdir()

    with preloaded(home, "nothing"):
        assert not zygote_of(home, "nothing").exists()


def asked(home, module, log):
    streams = log.fileno(), log.fileno()
    return fork(
        zygote_of(home, "nothing"), module, [], folder=home, environment=kernel_environment(home), streams=streams
    )


def parent_of(pid):
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
