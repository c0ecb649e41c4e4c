"""Kernels that jupyter_client starts by a fork."""

import os
import signal
from importlib.metadata import entry_points

import pytest
from jupyter_client import KernelManager
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.provisioning import KernelProvisionerFactory

from labkit.nbtools.forked import can_fork, preloaded
from labkit.nbtools.provisioner import NAME, ForkedKernel, fork_kernels, forking
from labkit.nbtools.surroundings import kernel_environment, kernel_home

on_linux = pytest.mark.skipif(not can_fork(), reason="processes are forked on Linux only")


@pytest.fixture(scope="module")
def home():
    with kernel_home() as home, preloaded(home, "kernel"):
        yield home


@pytest.fixture
def kernel(home, tmp_path):
    """A kernel started as nbval starts its own: by names in the environment, and in blocking calls."""
    manager = KernelManager(connection_file=str(home / f"{tmp_path.name}.json"))
    spec = manager.kernel_spec
    assert spec is not None
    spec.metadata["kernel_provisioner"] = {"provisioner_name": NAME}
    manager.start_kernel(env=kernel_environment(home) | forking(home), cwd=str(tmp_path))
    yield manager
    manager.shutdown_kernel(now=True)


def run(manager, code):
    """What the code writes, in one cell."""
    written = []
    client = manager.client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=30)
        reply = client.execute_interactive(code, timeout=30, output_hook=lambda said: written.append(said["content"]))
    finally:
        client.stop_channels()
    return reply["content"]["status"], "".join(content.get("text", "") for content in written)


def test_labkit_declares_the_provisioner_to_jupyter():
    [declared] = entry_points(group=KernelProvisionerFactory.GROUP_NAME, name=NAME)

    assert declared.load() is ForkedKernel


@on_linux
def test_kernel_is_forked_in_its_folder_and_hands_nothing_of_it_down(kernel, tmp_path):
    code = "import os; print(os.getcwd(), os.environ.keys() & {'LABKIT_ZYGOTE', 'JUPYTER_DEFAULT_PROVISIONER_NAME'})"

    assert kernel.provisioner.process.pid != os.getpid()
    assert run(kernel, code) == ("ok", f"{tmp_path} set()\n")


@on_linux
def test_interrupt_reaches_the_forked_kernel_and_it_lives_on(kernel):
    interrupted = run(kernel, "import os, signal, time\nos.killpg(0, signal.SIGINT)\ntime.sleep(60)")

    assert interrupted[0] == "error"
    assert run(kernel, "print('alive')") == ("ok", "alive\n")


@on_linux
def test_restarted_kernel_is_another_one_that_knows_nothing(kernel):
    before = kernel.provisioner.process.pid
    run(kernel, "mine = 1")

    kernel.restart_kernel(now=True)

    assert kernel.provisioner.process.pid != before
    assert run(kernel, "print('mine' in globals())") == ("ok", "False\n")


@on_linux
def test_killed_kernel_is_gone_when_the_call_returns(kernel):
    process = kernel.provisioner.process

    kernel.shutdown_kernel(now=True)

    assert process.returncode == -signal.SIGKILL
    with pytest.raises(ProcessLookupError):
        os.kill(process.pid, 0)


def test_home_without_a_zygote_changes_nothing():
    with kernel_home() as home:
        spec = KernelSpec()
        fork_kernels(spec, home)

        assert (spec.metadata, forking(home)) == ({}, {})
