"""JupyterLab opens on the work folder, on this machine only, and leaves nothing behind."""

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Generator
from pathlib import Path

import pytest
from full_disk import full_disk

from labkit.jupyter import FIRST_LESSON, arguments, prepare_settings

OPEN = """
import pathlib, sys
from labkit.jupyter import open_jupyter
open_jupyter(pathlib.Path(sys.argv[1]), browser=False)
"""


def test_server_is_reached_from_this_machine_only():
    assert "--ServerApp.ip=127.0.0.1" in arguments(Path("work"), browser=True)


@pytest.mark.parametrize("browser", [True, False])
def test_browser_is_opened_or_not_as_asked(browser):
    assert f"--ServerApp.open_browser={browser}" in arguments(Path("work"), browser=browser)


def test_news_question_is_answered_beforehand(tmp_path):
    overrides = prepare_settings(tmp_path) / "labconfig" / "default_setting_overrides.json"

    settings = json.loads(overrides.read_text(encoding="utf-8"))
    assert settings["@jupyterlab/apputils-extension:notification"]["fetchNews"] == "false"


def test_settings_that_find_no_room_are_told_by_their_path(tmp_path):
    with full_disk(), pytest.raises(OSError, match="File too large") as told:
        prepare_settings(tmp_path)

    assert str(told.value.filename).startswith(str(tmp_path))


@pytest.fixture
def server(tmp_path: Path) -> Generator[tuple[subprocess.Popen[str], str]]:
    """A running JupyterLab and its printed address."""
    (tmp_path / "notebooks").mkdir()
    settings = {key: value for key, value in os.environ.items() if not key.startswith("JUPYTER")}
    settings |= {"JUPYTER_RUNTIME_DIR": str(tmp_path / "runtime"), "JUPYTER_CONFIG_DIR": str(tmp_path / "config")}
    command = [sys.executable, "-c", OPEN, str(tmp_path)]
    with subprocess.Popen(
        command, env=settings, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process, address_from(process)
        finally:
            process.kill()


def address_from(process: subprocess.Popen[str]) -> str:
    assert process.stderr is not None
    seen = []
    for line in process.stderr:
        seen.append(line)
        if found := re.search(r"http://\S+", line):
            return found[0]
    raise AssertionError("no address:\n" + "".join(seen))


@pytest.mark.skipif(os.name == "nt", reason="Windows cannot send Ctrl-C to one process alone")
def test_printed_address_is_the_first_lesson_and_ctrl_c_ends_the_server_and_its_kernels(server, tmp_path):
    process, address = server
    base, _, token = address.partition(f"/lab/tree/{FIRST_LESSON}?token=")
    asked = urllib.request.Request(f"{base}/api/kernels?token={token}", b'{"name": "python3"}', method="POST")
    with urllib.request.urlopen(asked) as reply:
        kernel = json.load(reply)["id"]
    connection = tmp_path / "runtime" / f"kernel-{kernel}.json"
    assert connection.exists()

    process.send_signal(signal.SIGINT)

    assert process.wait(timeout=20) == 0
    assert base.startswith("http://127.0.0.1:")
    assert not connection.exists()  # the server takes it away once the kernel has ended
