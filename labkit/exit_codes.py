"""How a command ends: the table of exit codes, and for what goes wrong from outside one sentence and its code."""

import errno
import sys
from collections.abc import Generator
from contextlib import contextmanager

import typer

FINDING = 1
WRONG_USE = 2
COULD_NOT_RUN = 3
PORT_TAKEN = 4

NO_ROOM = {errno.ENOSPC, errno.EFBIG, errno.EIO, errno.EROFS, getattr(errno, "EDQUOT", errno.ENOSPC)}
"""Why nothing more can be written; standard output on a full disk is told so without a name."""

EXIT_CODES = "\n".join(
    [
        "[bold]Exit codes[/bold]",
        "  0  all is well",
        "  1  a notebook is not as recorded, or does not run; a finding",
        "  2  wrong use: an unknown option, notebook or file",
        "  3  could not run: what the lab needs is missing, or not to be written",
        "  4  could not listen: the port is taken",
        "130  stopped by Ctrl-C or by a request to end",
    ]
)


@contextmanager
def plain_errors() -> Generator[None]:
    """One sentence on stderr and an exit code for what can go wrong from outside; a traceback is for our own bugs."""
    try:
        yield
    except ModuleNotFoundError as error:
        complain(f"{error.name} is not installed for {sys.executable}. `python3 start.py` installs what the lab needs.")
        raise typer.Exit(COULD_NOT_RUN) from None
    except KeyboardInterrupt:
        complain("stopped; nothing is left running, and every file is whole")
        raise
    except Exception as error:
        code = exit_code(error)
        if code is None:
            raise
        complain(sentence(error))
        raise typer.Exit(code) from None


def exit_code(error: Exception) -> int | None:
    """How the command ends for an error whose message says all; None for a bug."""
    from labkit.errors import ConfigError
    from labkit.nbtools.kernels import NoKernel
    from labkit.nbtools.notebook import NotANotebook

    if isinstance(error, ConfigError):
        return {"port_taken": PORT_TAKEN, "no_server": COULD_NOT_RUN}.get(error.code, WRONG_USE)
    if isinstance(error, OSError) and (error.filename or error.errno in NO_ROOM):  # the person's disk, not ours
        return COULD_NOT_RUN
    codes = {NotANotebook: WRONG_USE, NoKernel: COULD_NOT_RUN}
    return next((code for kind, code in codes.items() if isinstance(error, kind)), None)


def sentence(error: Exception) -> str:
    """What the error says; one of the system's begins with the file, where it knows of one."""
    if not isinstance(error, OSError):
        return str(error)
    return f"cannot use {error.filename}: {error.strerror}" if error.filename else f"cannot write: {error.strerror}"


def complain(text: str) -> None:
    """Say it on stderr, so that output kept in a file stays clean."""
    typer.echo(f"labkit: {text}", err=True)
