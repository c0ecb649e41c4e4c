"""A file is written whole or not at all, and what cannot be written is told by its path."""

import errno
import os
import secrets
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Put the bytes in the file in one step, its folder made if need be: a reader sees the old file or the new one.

    OSError that names the path; then the old file is as it was, and nothing is left beside it. A link is followed, and
    a device or a pipe is written to where it is.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with _named(path):
        if _is_special(path):
            path.write_bytes(content)
        else:
            _replace(path.resolve(), content)


def expect_writable(path: Path) -> None:
    """OSError, as `write_whole`, when nothing can be put there; told before the work whose result is to go there.

    The folder is made; whether there is room is not known before it is tried.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with _named(path):
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not _is_special(path):
            beside = _beside(path.resolve())
            beside.touch(exist_ok=False)
            beside.unlink()


def _replace(path: Path, content: bytes) -> None:
    beside = _beside(path)
    try:
        beside.write_bytes(content)
        if path.exists():
            shutil.copymode(path, beside)
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)


def _beside(path: Path) -> Path:
    # Short, whatever the file is called: a name has 255 bytes at most.
    return path.with_name(f".labkit-{secrets.token_hex(8)}")


def _is_special(path: Path) -> bool:
    return path.exists() and not path.is_file()  # a folder, too: writing to it says so


@contextmanager
def _named(path: Path) -> Generator[None]:
    # A full disk shows when bytes are written, and such an error knows of no path; another one names the file beside.
    try:
        yield
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error
