"""Processes that are forked from one that waits."""

import asyncio
import os
import select
import signal

import pytest

from labkit.nbtools.forked import NotForked, can_fork, fork, preloaded, zygote_of
from labkit.nbtools.surroundings import kernel_environment, kernel_home

pytestmark = pytest.mark.skipif(not can_fork(), reason="processes are forked on Linux only")

CHATTER = """\
import os, subprocess, sys, time
print("here", flush=True)
sleeper = subprocess.Popen(["sleep", "600"])
time.sleep(600)
"""


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A home with a zygote that has imported nothing, and modules to be run."""
    (tmp_path / "chatter.py").write_text(CHATTER)
    (tmp_path / "asks.py").write_text("import os, sys\nprint(os.getcwd(), sys.argv[1:], os.environ['ASKED'])\n")
    (tmp_path / "fails.py").write_text("raise SystemExit(7)\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with kernel_home() as home, preloaded(home, "nothing"):
        yield home


class Output:
    """A pipe for what forked processes write; it ends when none of them is left."""

    def __init__(self):
        self.reading, self.writing = os.pipe()

    def all(self, seconds=20):
        os.close(self.writing)
        heard = b""
        while select.select([self.reading], [], [], seconds)[0]:
            if not (more := os.read(self.reading, 1000)):
                os.close(self.reading)
                return heard.decode()
            heard += more
        raise AssertionError("somebody still holds the pipe")


@pytest.fixture
def output():
    return Output()


def forked(home, module, output, **more):
    environment = kernel_environment(home) | {"ASKED": "yes"} | more
    streams = output.writing, output.writing
    return fork(zygote_of(home, "nothing"), module, ["a"], folder=home, environment=environment, streams=streams)


async def greeting(output):
    """Wait for the process's first word."""
    await asyncio.get_running_loop().run_in_executor(None, os.read, output.reading, 5)


def test_module_runs_in_the_folder_and_environment_asked_for(home, output):
    async def work():
        return await (await forked(home, "asks", output)).ended()

    assert asyncio.run(work()) == 0
    assert output.all() == f"{home} ['a'] yes\n"


def test_end_is_told_as_a_process_s_own_exit_code(home, output):
    async def work():
        process = await forked(home, "fails", output)
        return await process.ended(), process.poll(), process.wait()

    assert asyncio.run(work()) == (7, 7, 7)


def test_signal_reaches_the_process_and_all_it_started(home, output):
    async def work():
        process = await forked(home, "chatter", output)
        await greeting(output)
        assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        return await process.ended()

    assert asyncio.run(work()) == -signal.SIGTERM
    assert output.all() == ""


def test_what_a_process_started_ends_with_it(home, output):
    async def work():
        process = await forked(home, "chatter", output)
        await greeting(output)
        os.kill(process.pid, signal.SIGKILL)
        return await process.ended()

    assert asyncio.run(work()) == -signal.SIGKILL
    assert output.all() == ""


def test_process_ends_when_whoever_asked_for_it_lets_go(home, output):
    async def work():
        process = await forked(home, "chatter", output)
        await greeting(output)
        process.close()

    asyncio.run(work())

    assert output.all() == ""


def test_process_of_another_hash_seed_or_path_is_refused_and_not_forked(home, output):
    async def work():
        await forked(home, "asks", output, PYTHONHASHSEED="7")

    with pytest.raises(NotForked, match="ended with 1"):
        asyncio.run(work())
    assert "a fork cannot have others" in output.all()
