"""Kernels forked from a zygote, for whoever starts kernels with jupyter_client: for us, and for nbval."""

import asyncio
import os
import uuid
from contextlib import suppress
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import IO, Any

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.provisioning import KernelProvisionerFactory, LocalProvisioner
from traitlets import Unicode

from labkit.nbtools.forked import ForkedProcess, fork, zygote_of

NAME = "labkit-forked"
"""What pyproject.toml calls it, where jupyter_client finds it."""

ZYGOTE = "LABKIT_ZYGOTE"
BY_DEFAULT = KernelProvisionerFactory.default_provisioner_name_env

KILL_SECONDS = 5
"""How long a killed kernel may take to be gone."""


class ForkedKernel(LocalProvisioner):
    """A kernel like any other on this machine, but for the way it is started."""

    zygote = Unicode("")
    process: ForkedProcess | None

    # typing.override, which would be said of these three, came with Python 3.12.
    async def pre_launch(self, **options: Any) -> dict[str, Any]:  # pyrefly: ignore[missing-override-decorator]
        """Talk over files in the zygote's folder: that takes less of the processor than TCP, and no port."""
        options["env"] = dict(options.get("env", os.environ))
        self.zygote = options["env"].pop(ZYGOTE, self.zygote)
        options["env"].pop(BY_DEFAULT, None)  # what a kernel starts in its turn is no concern of the zygote's
        assert self.parent is not None
        self.parent.transport, self.parent.ip = "ipc", str(Path(self.zygote).with_name(uuid.uuid4().hex[:12]))
        return await super().pre_launch(**options)

    async def launch_kernel(  # pyrefly: ignore[missing-override-decorator]
        self, cmd: list[str], **options: Any
    ) -> KernelConnectionInfo:
        """Fork it and have it run what comes behind `-m` in the command."""
        module, *arguments = cmd[cmd.index("-m") + 1 :]
        self.process = await fork(
            Path(self.zygote),
            module,
            arguments,
            folder=Path(options.get("cwd") or Path.cwd()),
            environment=options["env"],
            streams=(_number(options.get("stdout"), 1), _number(options.get("stderr"), 2)),
        )
        self.pid = self.process.pid
        return self.connection_info

    async def kill(  # pyrefly: ignore[missing-override-decorator]
        self,
        restart: bool = False,  # noqa: FBT001, FBT002 - as jupyter_client calls it
    ) -> None:
        """Kill it and wait for its end, which jupyter_client would look for every tenth of a second only."""
        await super().kill(restart)
        if self.process is not None:
            with suppress(TimeoutError):
                await asyncio.wait_for(self.process.ended(), KILL_SECONDS)


def fork_kernels(spec: KernelSpec | None, home: Path) -> None:
    """Have kernels of this spec forked, when the home has a zygote for them."""
    if spec is not None and has_zygote(home):
        config = {"zygote": str(zygote_of(home, "kernel"))}
        spec.metadata["kernel_provisioner"] = {"provisioner_name": NAME, "config": config}


def forking(home: Path) -> dict[str, str]:
    """Environment variables for a process that starts kernels, which are then forked as ours are."""
    return {BY_DEFAULT: NAME, ZYGOTE: str(zygote_of(home, "kernel"))} if has_zygote(home) else {}


def has_zygote(home: Path) -> bool:
    """Whether kernels can be forked: a zygote was started, and labkit is installed as of its current pyproject.toml."""
    return zygote_of(home, "kernel").exists() and _is_declared()


@cache
def _is_declared() -> bool:
    return bool(entry_points(group=KernelProvisionerFactory.GROUP_NAME, name=NAME))


def _number(file: IO[Any] | int | None, inherited: int) -> int:
    return inherited if file is None else file if isinstance(file, int) else file.fileno()
