"""A disk with no room left, and a folder in which nothing can be made, for whoever runs the tests, root included."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

FULL = Path("/dev/full")
"""Takes no byte."""
NO_FOLDER = Path("/proc/self/fdinfo")
"""Takes no file."""

linux = pytest.mark.skipif(not (FULL.exists() and NO_FOLDER.exists()), reason="no such places here")


@contextmanager
def full_disk() -> Generator[None]:
    """Inside the block, no file of this process can hold a byte."""
    resource = pytest.importorskip("resource")  # POSIX only
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
