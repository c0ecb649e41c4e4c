"""What a zygote imports before it forks anything, so that no kernel and no nbval has to: run as a program.

An import that starts a thread or says something is left to each process, where it does the same as ever.
"""

import gc
import importlib
import os
import runpy
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress

from labkit.nbtools.zygote import Zygote

PRELOADED = {
    "kernel": (
        *("ipykernel.kernelapp", "ipykernel.debugger", "tornado.platform.asyncio", "psutil", "sqlite3", "pdb"),
        *(f"IPython.{name}" for name in ("core.completerlib", "core.debugger", "core.logger", "core.oinspect")),
        *("IPython.extensions.storemagic", "IPython.utils.wildcard"),
        *("matplotlib.figure", "matplotlib.backends.backend_svg", "pandas", "pandas.io.formats.html", "anywidget"),
        *("fastapi", "pydantic.v1", "httpx", "h11", "uvicorn.server", "uvicorn.protocols.http.h11_impl"),
        *("pygments.lexers.python", "msgspec.json", "importlib.resources.readers"),
        *("labkit.lesson", "labkit.widgets.timeline_view", "labkit.results.retrieve_cases"),
        *("labkit.service.access_app", "labkit.service.admission_cases", "labkit.driver.record"),
    ),
    "nbval": (
        *("pytest", "nbformat.validator", "jupyter_client", "ipykernel.kernelspec", "coverage", "pdb", "difflib"),
        *("unittest", "xml.etree.ElementTree"),
        *(f"_pytest.{name}" for name in ("junitxml", "pastebin", "skipping", "unittest", "warnings", "helpconfig")),
    ),
    "nothing": (),
}
"""What each kind of process finds imported: all that it imports itself, and what is slow in some lessons."""

WHEN_IMPORTED = {"MPLBACKEND": "module://matplotlib_inline.backend_inline"}
"""What a kernel sets before it imports matplotlib, which looks at it just then; as ipykernel does at its parent."""


def main(kind: str, listener: int) -> None:
    """Import what this kind needs, then serve; a new process runs what it was asked for, to its end."""
    del sys.path[0]  # the folder this was started in
    os.environ.update(WHEN_IMPORTED, JPY_PARENT_PID=str(os.getpid()))
    before = {**os.environ}
    if not _imported(PRELOADED[kind]):
        os.execv(sys.executable, [sys.executable, "-m", "labkit.nbtools.preload", "nothing", str(listener)])
    set_by_imports = dict(os.environ.items() - before.items())
    gc.collect()
    gc.freeze()  # what is here stays, and no new process looks through it again
    request = Zygote(socket.socket(fileno=listener), set_by_imports).serve()
    del sys.modules["rfc3987_syntax"]  # what labkit.nbtools keeps out here is not kept out there
    runpy.run_module(request.module, run_name="__main__", alter_sys=True)


def _imported(modules: Sequence[str]) -> bool:
    """Whether the modules could be imported, those that exist, in silence and without a thread, which a fork loses."""
    written = _written()
    try:
        for module in modules:
            with suppress(ImportError):
                importlib.import_module(module)
        if validator := sys.modules.get("nbformat.validator"):
            validator.get_validator(4)  # compiled once, from the schema
    except Exception:  # noqa: BLE001 - whatever an import raises, a process of its own raises it again
        return False
    return _written() == written and len(os.listdir("/proc/self/task")) == 1


def _written() -> int:
    sys.stderr.flush()
    return os.fstat(sys.stderr.fileno()).st_size


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
