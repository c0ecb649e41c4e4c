"""One execution of a notebook's cells, in a fresh kernel whose surroundings are the same on every machine.

The kernel is the interpreter that runs this; kernelspecs, start-up files and settings of the user are not looked at.
"""

import asyncio
import copy
import importlib.util
import os
import signal
import site
import sys
import tempfile
import uuid
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from nbformat import NotebookNode

from labkit.nbtools.notebook import tags

CELL_SECONDS = 60
"""How long one cell may run: lessons take well under 3 s, and an endless one must end."""

START_SECONDS = 60
"""How long a kernel may take to answer at all: about 1 s here, more on a busy machine."""

KEPT = {
    "PATH",
    "PYTHONPATH",
    "VIRTUAL_ENV",
    "TMPDIR",
    "TEMP",
    "TMP",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "SYSTEMROOT",
    "WINDIR",
    "COMSPEC",
    "PATHEXT",
    "SYSTEMDRIVE",
    "NUMBER_OF_PROCESSORS",
    "PROCESSOR_ARCHITECTURE",
}
"""What a kernel keeps of the user's environment: where programs and libraries are, never how they behave."""

KEPT_FAMILIES = ("CONDA_", "OPENBLAS_")

FIXED = {
    "PYTHONHASHSEED": "0",
    "PYTHONUTF8": "1",
    "PYDEVD_DISABLE_FILE_VALIDATION": "1",
    "TZ": "UTC",
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
    "COLUMNS": "100",
    "LINES": "40",
}
"""What every kernel sees in place of the user's own settings."""

KERNEL_CONFIG = """\
c.HistoryManager.hist_file = ":memory:"
c.IPKernelApp.log_level = 40
"""
"""No history file to share, and no remarks about sockets on the kernel's stderr."""

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


@contextmanager
def kernel_home() -> Iterator[Path]:
    """A temporary home folder for kernels, with the settings they are to find; gone at the end."""
    with tempfile.TemporaryDirectory(prefix="labkit-", ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        profile = home / "ipython" / "profile_default"
        profile.mkdir(parents=True)
        (profile / "ipython_kernel_config.py").write_text(KERNEL_CONFIG, encoding="utf-8")
        yield home


def kernel_environment(home: Path) -> dict[str, str]:
    """All environment variables of a kernel, for any process that starts kernels, such as nbval's.

    Each call names a new, empty progress file.
    """
    kept = {name: value for name, value in os.environ.items() if name in KEPT or name.startswith(KEPT_FAMILIES)}
    own = {
        "HOME": home,
        "USERPROFILE": home,
        "PYTHONUSERBASE": site.getuserbase(),  # the home moves, the packages a user installed stay importable
        "IPYTHONDIR": home / "ipython",
        "JUPYTER_CONFIG_DIR": home / "jupyter",
        "JUPYTER_DATA_DIR": home / "jupyter",
        "JUPYTER_RUNTIME_DIR": home / "jupyter",
        "MPLCONFIGDIR": home / "matplotlib",
        "LABKIT_PROGRESS": home / f"progress-{uuid.uuid4().hex}.json",
    }
    return kept | FIXED | {name: str(value) for name, value in own.items()}


class Kernel:
    """A started kernel, which runs one cell after another."""

    def __init__(self, client: Any):
        self._client = client

    async def run(self, cell: NotebookNode) -> NotebookNode:
        """A copy of the cell, with the outputs and the counter of this run; CellFailed when it does not end well.

        An error in a cell tagged `traceback` is an output like any other; a cell that is not code is handed back.
        """
        raise NotImplementedError


@asynccontextmanager
async def kernel(folder: Path, *, home: Path, cell_seconds: float = CELL_SECONDS) -> AsyncIterator[Kernel]:
    """A fresh kernel that works in this folder; killed at the end with all it started, however the end comes.

    NoKernel when it cannot be started.
    """
    raise NotImplementedError
    yield


async def execute(
    cells: Sequence[NotebookNode],
    folder: Path,
    *,
    home: Path,
    cell_seconds: float = CELL_SECONDS,
    after_cell: Callable[[], None] = lambda: None,
) -> list[NotebookNode]:
    """Copies of the cells as one fresh kernel leaves them; CellFailed at the first that does not end well."""
    raise NotImplementedError


def run_kernels(work: Coroutine[Any, Any, Result]) -> Result:
    """What `work` returns; KeyboardInterrupt for Ctrl-C and for SIGTERM alike, after every kernel is gone."""
    raise NotImplementedError
