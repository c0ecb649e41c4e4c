"""JupyterLab on the learner's work folder: on this machine only, with nothing popping up over the first lesson."""

import json
import os
import signal
from pathlib import Path

from labkit.whole_file import write_whole

FIRST_LESSON = "notebooks/00_start_here.ipynb"
SETTINGS = {
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
    # Long lines of code wrap: in a narrow window they would be cut, with no scroll bar to say so.
    "@jupyterlab/notebook-extension:tracker": {"codeCellConfig": {"lineWrap": True}},
}


def prepare_settings(work: Path) -> Path:
    """Write our defaults inside the work folder; the person's own settings stay theirs, and win."""
    folder = work / ".labkit" / "config"
    text = json.dumps(SETTINGS, indent=1)
    write_whole(folder / "labconfig" / "default_setting_overrides.json", text.encode())
    return folder


def arguments(work: Path, *, browser: bool) -> list[str]:
    """The command line of JupyterLab for this folder."""
    return [
        f"--ServerApp.root_dir={work}",
        "--ServerApp.ip=127.0.0.1",
        "--ServerApp.allow_root=True",  # a container often has no other user; the address is this machine's alone
        f"--ServerApp.open_browser={browser}",
        "--Application.log_level=WARN",
        f"--LabApp.default_url=/lab/tree/{FIRST_LESSON}",
        "--LabApp.news_url=",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]


def open_jupyter(work: Path, *, browser: bool) -> None:
    """Run JupyterLab in this process until it is stopped; it ends its kernels, and then the process."""
    folder = prepare_settings(work)
    paths = [str(folder), *filter(None, [os.environ.get("JUPYTER_CONFIG_PATH")])]
    os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join(paths)
    os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")  # else every kernel warns of frozen modules
    # Where no terminal asks "are you sure?", Ctrl-C would leave the kernels to notice by themselves.
    signal.signal(signal.SIGINT, lambda *_: signal.raise_signal(signal.SIGTERM))
    from jupyterlab.labapp import main  # here: it reads the variables above when it is imported

    main(arguments(work, browser=browser))
