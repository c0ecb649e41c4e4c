"""A JupyterLab that runs for as long as a test needs it, with settings, trust and kernels of its own.

Run as a program it is the server itself, on the folder that is named.
"""

import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from labkit.jupyter import open_jupyter

SERVER_CONFIG = {"LabApp": {"expose_app_in_browser": True}}
USER_SETTINGS: dict[str, dict[str, object]] = {
    "apputils-extension/themes": {"adaptive-theme": True},
    "notebook-extension/tracker": {"windowingMode": "none"},
}
"""The theme follows what the browser prefers, so that a window can be a dark one; all cells are drawn at once."""


@dataclass(frozen=True)
class LiveLab:
    """A server that answers: the address it prints, and the folder it shows."""

    address: str
    work: Path


@contextmanager
def live_lab(home: Path) -> Generator[LiveLab]:
    """A server on `home / "work"`; at the end it and its kernels are gone, however the end comes."""
    write_settings(home)
    command = [sys.executable, __file__, str(home / "work")]
    pipes = {"stdin": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, env=surroundings(home), text=True, **pipes) as server:
        try:
            yield LiveLab(printed_address(server), home / "work")
        finally:
            end(server)


def write_settings(home: Path) -> None:
    (home / "work").mkdir(parents=True, exist_ok=True)
    (home / "config").mkdir()
    (home / "config" / "jupyter_server_config.json").write_text(json.dumps(SERVER_CONFIG), encoding="utf-8")
    for name, settings in USER_SETTINGS.items():
        path = home / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(settings), encoding="utf-8")


def surroundings(home: Path) -> dict[str, str]:
    """Ours without what belongs to the person who runs the tests; no signatures there, so no notebook is trusted."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith(("JUPYTER", "LABKIT"))}
    folders = {"CONFIG_DIR": "config", "DATA_DIR": "data", "RUNTIME_DIR": "runtime"}
    theirs = {f"JUPYTER_{name}": str(home / folder) for name, folder in folders.items()}
    lab = {"JUPYTERLAB_SETTINGS_DIR": str(home / "settings"), "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces")}
    return ours | theirs | lab | {"IPYTHONDIR": str(home / "ipython")}


def printed_address(server: subprocess.Popen[str]) -> str:
    """The address, once the server says it; a thread then drinks the rest, or a full pipe would stop the server."""
    assert server.stderr is not None
    said = []
    for line in server.stderr:
        said.append(line)
        if found := re.search(r"http://127\.0\.0\.1:\S+", line):
            threading.Thread(target=server.stderr.read, daemon=True).start()
            return found[0]
    raise AssertionError("JupyterLab gave no address:\n" + "".join(said))


def end(server: subprocess.Popen[str]) -> None:
    assert server.stdin is not None
    server.stdin.close()
    try:
        server.wait(timeout=20)
    except subprocess.TimeoutExpired:
        server.kill()


def end_with_the_tests() -> None:
    """Ask this process to end when nobody holds the other end of stdin any more, not even somebody who was killed."""
    sys.stdin.read()
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    threading.Thread(target=end_with_the_tests, daemon=True).start()
    open_jupyter(Path(sys.argv[1]), browser=False)
