"""What a kernel sees of the world: the same home, settings and environment variables on every machine.

The user's own kernelspecs, start-up files, settings and locale are not looked at.
"""

import os
import site
import tempfile
import uuid
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

KEPT = {
    "PATH",
    "PYTHONPATH",
    "VIRTUAL_ENV",
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
    "OPENBLAS_NUM_THREADS": "1",  # the last digit of a sum depends on it
}
"""What every kernel sees in place of the user's own settings."""

KERNEL_CONFIG = """\
c.HistoryManager.hist_file = ":memory:"
c.IPKernelApp.log_level = 40
"""
"""No history file to share, and no remarks about sockets on the kernel's stderr."""


@contextmanager
def kernel_home() -> Generator[Path]:
    """A temporary home folder for kernels, with the settings they are to find; gone at the end."""
    with tempfile.TemporaryDirectory(prefix="labkit-", ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        profile = home / "ipython" / "profile_default"
        profile.mkdir(parents=True)
        (home / "tmp").mkdir()
        (profile / "ipython_kernel_config.py").write_text(KERNEL_CONFIG, encoding="utf-8")
        yield home


def kernel_environment(home: Path) -> dict[str, str]:
    """All environment variables of a kernel, for any process that starts kernels, such as nbval's.

    Each call names a new, empty progress file.
    """
    kept = {name: value for name, value in os.environ.items() if name in KEPT or name.startswith(KEPT_FAMILIES)}
    own = {
        "HOME": home,
        **dict.fromkeys(("TMPDIR", "TEMP", "TMP"), home / "tmp"),  # a killed kernel leaves no file behind
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
