"""One execution of a notebook's cells, in a fresh kernel of the interpreter that runs this."""

import asyncio
import copy
import logging
import signal
import sys
import uuid
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from jupyter_client import AsyncKernelClient, AsyncKernelManager
from jupyter_client.kernelspec import NATIVE_KERNEL_NAME, KernelSpecManager, NoSuchKernel
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from nbformat.v4 import new_notebook

from labkit.nbtools.forked import NotForked
from labkit.nbtools.notebook import tags
from labkit.nbtools.provisioner import fork_kernels
from labkit.nbtools.surroundings import kernel_environment

CELL_SECONDS = 60
"""How long one cell may run: lessons take well under 3 s, and an endless one must end."""

START_SECONDS = 60
"""How long a kernel may take to answer at all: about 1 s here, more on a busy machine."""

MEND = "`labkit doctor` says what is missing; `python3 start.py` makes an environment that has everything."

QUIET = logging.Logger("nbclient", logging.CRITICAL + 1)
"""nbclient says each failure to its log and then raises it; once is enough."""

Result = TypeVar("Result")


class CellFailed(Exception):
    """A cell ended in an error, ran too long or killed its kernel.

    `cell_id` and `reason` name it; `cells` are all cells as they stood then, for a look at the failed run.
    """

    def __init__(self, cell_id: str, reason: str, cells: Sequence[NotebookNode] = ()):
        super().__init__(f"cell {cell_id}: {reason}")
        self.cell_id = cell_id
        self.reason = reason
        self.cells = tuple(cells)


class NoKernel(Exception):
    """No kernel could be started; the message says what is missing and how to mend it."""


class Kernel:
    """A started kernel, which runs one cell after another."""

    def __init__(self, client: NotebookClient):
        self._client = client

    async def run(self, cell: NotebookNode) -> NotebookNode:
        """A copy of the cell with the outputs and the counter of this run; CellFailed when it does not end well.

        An error in a cell tagged `traceback` is an output like any other; a cell that is not code is handed back.
        """
        if cell.cell_type != "code":
            return copy.deepcopy(cell)
        bare = {key: part for key, part in cell.items() if key != "outputs"}  # they may be large
        cell = NotebookNode({**copy.deepcopy(bare), "outputs": [], "execution_count": None})
        self._client.nb.cells.append(cell)
        self._client.allow_errors = "traceback" in tags(cell)
        try:
            await self._client.async_execute_cell(cell, len(self._client.nb.cells) - 1)
        except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
            _let_cancellation_through()
            raise CellFailed(cell.get("id", "without an id"), self._reason(error), [cell]) from error
        return cell

    def _reason(self, error: Exception) -> str:
        if isinstance(error, CellExecutionError):
            return f"{error.ename}: {error.evalue}"
        if isinstance(error, CellTimeoutError):
            return f"ran longer than {self._client.timeout} s"
        return "killed its kernel"


@asynccontextmanager
async def kernel(folder: Path, *, home: Path, cell_seconds: int = CELL_SECONDS) -> AsyncGenerator[Kernel]:
    """A fresh kernel that works in this folder; killed at the end with all it started, however the end comes.

    NoKernel when it cannot be started.
    """
    with ExitStack() as at_last:  # the channels close after the kernel is gone: nbclient may still read from them
        async with _process(folder, home) as manager:
            client = at_last.enter_context(_channels(manager))
            await _answer(client, home)
            yield Kernel(_notebook_client(manager, client, cell_seconds))


async def execute(
    cells: Sequence[NotebookNode],
    folder: Path,
    *,
    home: Path,
    cell_seconds: int = CELL_SECONDS,
    after_cell: Callable[[], None] = lambda: None,
) -> list[NotebookNode]:
    """Copies of the cells as one fresh kernel leaves them; CellFailed at the first that does not end well."""
    done: list[NotebookNode] = []
    async with kernel(folder, home=home, cell_seconds=cell_seconds) as running:
        for cell in cells:
            try:
                done.append(await running.run(cell))
            except CellFailed as failed:
                rest = cells[len(done) + 1 :]
                raise CellFailed(failed.cell_id, failed.reason, [*done, *failed.cells, *rest]) from failed
            after_cell()
    return done


def run_kernels(work: Coroutine[Any, Any, Result]) -> Result:
    """What `work` returns; KeyboardInterrupt for Ctrl-C and for SIGTERM alike, after every kernel is gone."""

    async def interruptible() -> Result:
        task = asyncio.current_task()
        assert task is not None
        with suppress(RuntimeError, ValueError):  # Windows has no such handlers, threads may not set them
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        return await work

    try:
        return asyncio.run(interruptible())
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


@asynccontextmanager
async def _process(folder: Path, home: Path) -> AsyncGenerator[AsyncKernelManager]:
    manager = AsyncKernelManager(
        kernel_name=NATIVE_KERNEL_NAME,
        kernel_spec_manager=KernelSpecManager(kernel_dirs=[]),  # no folder to look in: this interpreter's is left
        connection_file=str(home / f"kernel-{uuid.uuid4().hex}.json"),
    )
    try:
        fork_kernels(manager.kernel_spec, home)
        with _log(home).open("ab") as noise:
            await manager.start_kernel(cwd=str(folder), env=kernel_environment(home), stdout=noise, stderr=noise)
        yield manager
    except NoSuchKernel as error:
        raise NoKernel(f"ipykernel cannot be imported by {sys.executable}. {MEND}") from error
    except NotForked as error:
        raise NoKernel(f"no kernel of {sys.executable} could be forked: {_last_word(home) or error}. {MEND}") from error
    finally:
        if manager.has_kernel:
            await manager.shutdown_kernel(now=True)


@contextmanager
def _channels(manager: AsyncKernelManager) -> Generator[AsyncKernelClient]:
    client = manager.client()
    client.start_channels(stdin=False, hb=False)  # nobody answers `input()`; the process itself shows that it lives
    try:
        yield client
    finally:
        client.stop_channels()


def _notebook_client(manager: AsyncKernelManager, client: AsyncKernelClient, cell_seconds: int) -> NotebookClient:
    running = NotebookClient(
        new_notebook(),
        km=manager,
        timeout=cell_seconds,
        raise_on_iopub_timeout=True,  # an output that comes late must not be lost in silence
        iopub_timeout=START_SECONDS,
        record_timing=False,
        coalesce_streams=True,
        log=QUIET,
    )
    running.kc = client
    running.reset_execution_trackers()
    return running


async def _answer(client: AsyncKernelClient, home: Path) -> None:
    try:
        await client.wait_for_ready(timeout=START_SECONDS)
    except RuntimeError as error:
        raise NoKernel(f"the kernel of {sys.executable} did not start: {_last_word(home) or error}. {MEND}") from error


def _log(home: Path) -> Path:
    return home / "kernel.log"


def _last_word(home: Path) -> str:
    return _log(home).read_text(encoding="utf-8", errors="replace").strip().rpartition("\n")[-1]


def _let_cancellation_through() -> None:
    # nbclient takes every cancellation for a dead kernel; one that was meant for us must go on.
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError
