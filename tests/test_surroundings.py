"""What a kernel sees of the world."""

from pathlib import Path

import pytest

from labkit.nbtools.surroundings import kernel_environment, kernel_home

USERS = {
    "PYTHONHASHSEED": "7",
    "PYTHONSTARTUP": "mine.py",
    "PYTHONWARNINGS": "error",
    "TZ": "Asia/Tokyo",
    "LC_ALL": "de_DE.UTF-8",
    "LC_NUMERIC": "de_DE.UTF-8",
    "COLUMNS": "40",
    "HOME": "mine",
    "IPYTHONDIR": "mine",
    "JUPYTER_PATH": "mine",
    "JUPYTER_CONFIG_PATH": "mine",
    "MPLBACKEND": "mine",
    "MATPLOTLIBRC": "mine",
    "MPLCONFIGDIR": "mine",
    "XDG_CONFIG_HOME": "mine",
    "NO_COLOR": "1",
    "PYTEST_CURRENT_TEST": "mine",
    "LABKIT_PROGRESS": "mine",
    "SOME_TOKEN": "mine",
}


def test_nothing_a_user_has_set_reaches_a_kernel(monkeypatch: pytest.MonkeyPatch):
    for name, value in USERS.items():
        monkeypatch.setenv(name, value)

    with kernel_home() as home:
        seen = kernel_environment(home)

    wanted = {"PYTHONHASHSEED": "0", "TZ": "UTC", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "COLUMNS": "100"}
    assert wanted.items() <= seen.items()
    assert [name for name, value in USERS.items() if seen.get(name) == value] == []
    assert [name for name in USERS if name not in seen] == [
        *("PYTHONSTARTUP", "PYTHONWARNINGS", "LC_NUMERIC", "JUPYTER_PATH", "JUPYTER_CONFIG_PATH", "MPLBACKEND"),
        *("MATPLOTLIBRC", "XDG_CONFIG_HOME", "NO_COLOR", "PYTEST_CURRENT_TEST", "SOME_TOKEN"),
    ]


def test_programs_and_libraries_are_found_where_the_user_has_them(monkeypatch: pytest.MonkeyPatch):
    kept = {"PATH": "a", "PYTHONPATH": "b", "LD_LIBRARY_PATH": "c", "CONDA_PREFIX": "d", "OPENBLAS_CORETYPE": "e"}
    for name, value in kept.items():
        monkeypatch.setenv(name, value)

    with kernel_home() as home:
        assert kept.items() <= kernel_environment(home).items()


def test_each_kernel_has_a_new_progress_file_in_a_home_that_goes_away():
    with kernel_home() as home:
        files = [Path(kernel_environment(home)["LABKIT_PROGRESS"]) for _ in range(2)]
        files[0].write_text("{}", encoding="utf-8")

        assert files[0] != files[1]
        assert not files[1].exists()

    assert not home.exists()
