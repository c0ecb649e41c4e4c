"""The doctor names what is wrong, how to mend it, and whether the lab can work all the same."""

import os
import sys
from importlib.metadata import version

import pytest

from labkit import doctor
from labkit.doctor import Finding


@pytest.mark.parametrize(("running", "sick"), [((3, 11, 0), False), ((3, 14, 1), False), ((3, 10, 13), True)])
def test_python_is_well_from_3_11_on(running, sick):
    assert doctor.python_version(running).is_sick is sick


def lock(*pins: str) -> str:
    return "".join(f"{pin} \\\n    --hash=sha256:{'0' * 64}\n" for pin in pins)


def test_installed_pins_are_well(tmp_path):
    (tmp_path / "requirements.lock").write_text(lock(f"pytest=={version('pytest')}"))

    assert not doctor.packages(tmp_path / "requirements.lock").mend


@pytest.mark.parametrize(
    ("pin", "said"),
    [
        ("no-such-package==1.0", "no-such-package is missing"),
        ("pytest==0.1", f"pytest is {version('pytest')}, the lock has 0.1"),
        ("pytest==0.1 ; python_full_version >= '3.11'", f"pytest is {version('pytest')}, the lock has 0.1"),
    ],
)
def test_difference_from_the_lock_is_said_by_name(pin, said):
    assert list(doctor.differences(lock(pin))) == [said]


def test_pin_for_another_system_is_not_missed():
    assert list(doctor.differences(lock("no-such-package==1.0 ; sys_platform == 'elsewhere'"))) == []


def test_only_the_first_three_differences_are_spelled_out(tmp_path):
    (tmp_path / "requirements.lock").write_text(lock(*(f"no-such-package-{n}==1" for n in range(5))))

    found = doctor.packages(tmp_path / "requirements.lock")

    assert found.is_sick
    assert found.seen.endswith("no-such-package-2 is missing and 2 more")


def test_missing_lock_is_said(tmp_path):
    assert doctor.packages(tmp_path / "requirements.lock").is_sick


def kernelspec(folder, argument):
    place = folder / "kernels" / "python3"
    place.mkdir(parents=True)
    (place / "kernel.json").write_text(f'{{"argv": ["{argument}"], "display_name": "x", "language": "python"}}')


def test_kernel_of_another_interpreter_is_named(tmp_path, monkeypatch):
    kernelspec(tmp_path, "/elsewhere/python")
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))

    found = doctor.kernel()

    assert found.is_sick
    assert found.seen == "python3 runs /elsewhere/python"


def test_kernel_of_this_interpreter_is_well(tmp_path, monkeypatch):
    kernelspec(tmp_path, sys.executable.replace("\\", "/"))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))

    assert not doctor.kernel().mend


def test_work_folder_that_is_not_there_yet_is_well(tmp_path):
    assert not doctor.work_folder(tmp_path / "work").mend


def test_work_folder_that_is_a_file_is_sick(tmp_path):
    (tmp_path / "work").write_text("")

    assert doctor.work_folder(tmp_path / "work").is_sick


def test_sqlite_of_this_python_has_full_text_search():
    assert not doctor.full_text_search().mend


def test_missing_browser_is_said_and_makes_nobody_sick(monkeypatch):
    monkeypatch.setenv("LABKIT_CHROMIUM", os.devnull + "/none")

    found = doctor.chromium()

    assert str(found).startswith("absent  Chromium")
    assert not found.is_sick


def test_line_says_state_subject_and_mend():
    assert str(Finding("Python", "3.10.0", "install 3.11")) == "wrong   Python    3.10.0; install 3.11"


def test_exit_code_says_whether_the_lab_can_work(monkeypatch, capsys):
    well, absent, sick = Finding("a", "b"), Finding("a", "b", "c", needed=False), Finding("a", "b", "c")
    codes = []
    for findings in [[well, absent], [well, absent, sick]]:
        monkeypatch.setattr(doctor, "diagnose", lambda _, findings=findings: findings)
        codes.append(doctor.examine())

    assert codes == [0, 1]
    assert len(capsys.readouterr().out.splitlines()) == 5
