"""One execution of cells in a fresh kernel."""

import asyncio
import json
import os
import select
import sys
from contextlib import ExitStack, contextmanager
from functools import partial

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell

from labkit.nbtools.forked import can_fork, preloaded
from labkit.nbtools.kernels import CellFailed, NoKernel, execute, run_kernels
from labkit.nbtools.surroundings import kernel_home

WAYS = ["new", pytest.param("forked", marks=pytest.mark.skipif(not can_fork(), reason="forked on Linux only"))]


@contextmanager
def home_of(way):
    with kernel_home() as home, preloaded(home, *(["kernel"] if way == "forked" else [])):
        yield home


def run_in(home, folder, *sources, **limits):
    cells = [new_code_cell(source, id=f"cell-{number}") for number, source in enumerate(sources, 1)]
    return run_kernels(execute(cells, folder, home=home, **limits))


@pytest.fixture(scope="module", params=WAYS)
def home(request):
    """Where kernels are at home that are started anew, and where they are forked."""
    with home_of(request.param) as home:
        yield home


@pytest.fixture
def run(home):
    """Run cells in the one and in the other kind of kernel."""
    return partial(run_in, home)


@pytest.fixture(params=WAYS)
def run_anew(request):
    """The same, in a home that is made only then: with the environment of that moment."""

    def run(folder, *sources):
        with home_of(request.param) as home:
            return run_in(home, folder, *sources)

    return run


def value(cell):
    return cell.outputs[0].data["text/plain"]


@pytest.fixture
def misleading(tmp_path, monkeypatch):
    """A user's home in which another kernel is called python3, and start-up files and settings speak up."""
    spec = tmp_path / "jupyter" / "kernels" / "python3"
    spec.mkdir(parents=True)
    argv = [sys.executable, "-c", "raise SystemExit('the wrong kernel')", "{connection_file}"]
    (spec / "kernel.json").write_text(json.dumps({"argv": argv, "display_name": "x", "language": "python"}))
    startup = tmp_path / "ipython" / "profile_default" / "startup"
    startup.mkdir(parents=True)
    (startup / "00.py").write_text("mine = 1")
    (startup.parent / "ipython_kernel_config.py").write_text("c.InteractiveShell.ast_node_interactivity = 'none'")
    (tmp_path / "matplotlibrc").write_text("lines.linewidth: 99")
    settings = {
        "JUPYTER_PATH": tmp_path / "jupyter",
        "JUPYTER_DATA_DIR": tmp_path / "jupyter",
        "IPYTHONDIR": tmp_path / "ipython",
        "MATPLOTLIBRC": tmp_path,
        "HOME": tmp_path,
        "PYTHONHASHSEED": "7",
        "TZ": "Asia/Tokyo",
    }
    for name, setting in settings.items():
        monkeypatch.setenv(name, str(setting))


@pytest.mark.usefixtures("misleading")
def test_kernel_is_this_interpreter_in_the_given_folder_and_nothing_of_the_user_leaks_in(tmp_path, run_anew):
    folder = tmp_path / "lessons"
    folder.mkdir()

    cells = run_anew(
        folder,
        "import os, sys, time\nsys.executable, os.getcwd()",
        "'mine' in globals(), sys.flags.hash_randomization, time.tzname[0], os.environ['COLUMNS']",
        "get_ipython().history_manager.hist_file, os.path.exists(os.environ['LABKIT_PROGRESS'])",
        "import matplotlib; matplotlib.rcParams['lines.linewidth']",
    )

    assert value(cells[0]).replace("\n", "") == repr((sys.executable, str(folder)))
    assert value(cells[1]) == "(False, 0, 'UTC', '100')"
    assert value(cells[2]) == "(':memory:', False)"
    assert value(cells[3]) == "1.5"
    assert [cell.execution_count for cell in cells] == [1, 2, 3, 4]


def test_outputs_are_whole_and_the_given_cells_stay_as_they_are(tmp_path, home):
    cells = [
        new_markdown_cell("# Text"),
        new_code_cell("import sys\nfor n in range(3):\n    print(n); sys.stdout.flush()"),
        new_code_cell("import subprocess, sys; subprocess.run([sys.executable, '-c', 'print(4)']).returncode"),
        new_code_cell("1 / 0", metadata={"tags": ["traceback"]}),
        new_code_cell("'after'"),
    ]
    seen = []

    done = run_kernels(execute(cells, tmp_path, home=home, after_cell=lambda: seen.append(1)))

    assert done[0] == cells[0]
    assert [output.text for output in done[1].outputs] == ["0\n1\n2\n"]
    assert done[2].outputs[0].text == "4\n"
    assert done[3].outputs[0].ename == "ZeroDivisionError"
    assert value(done[4]) == "'after'"
    assert len(seen) == 5
    assert all(cell.outputs == [] for cell in cells[1:])


def test_failing_cell_ends_the_run_and_is_named_with_its_error(tmp_path, run):
    with pytest.raises(CellFailed, match=r"cell cell-2: ValueError: not this$") as failed:
        run(tmp_path, "print('one')", "print('two'); raise ValueError('not this')", "print('three')")

    assert failed.value.cell_id == "cell-2"
    assert [len(cell.outputs) for cell in failed.value.cells] == [1, 2, 0]


def test_asking_the_learner_to_type_fails_and_does_not_wait(tmp_path, run):
    with pytest.raises(CellFailed, match="StdinNotImplementedError"):
        run(tmp_path, "input()")


def test_killed_kernel_is_named_by_its_cell(tmp_path, run):
    with pytest.raises(CellFailed, match="cell cell-2: killed its kernel"):
        run(tmp_path, "1", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_endless_cell_is_ended_with_all_it_started(tmp_path, run):
    os.mkfifo(tmp_path / "pipe")
    pipe = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    start_and_hang = (
        "import signal, subprocess\n"
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "pipe = open('pipe', 'w')\n"
        "subprocess.Popen(['sleep', '600'], stdout=pipe)\n"
        "print('x', file=pipe, flush=True)\n"
        "while True:\n    print('x' * 1000)"
    )

    with pytest.raises(CellFailed, match="cell cell-1: ran longer than 1 s"):
        run(tmp_path, start_and_hang, cell_seconds=1)

    assert os.read(pipe, 10) == b"x\n"
    assert select.select([pipe], [], [], 10)[0] == [pipe]
    assert os.read(pipe, 10) == b""  # the end: nobody holds the other side any more
    os.close(pipe)


def test_kernel_that_does_not_start_is_told_with_its_last_word(tmp_path, monkeypatch, run_anew):
    (tmp_path / "ipykernel_launcher.py").write_text("raise SystemExit('no such library')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    with pytest.raises(NoKernel, match=r"did not start: no such library\..*labkit doctor"):
        run_anew(tmp_path, "1")


def test_missing_ipykernel_is_told_with_its_cure(tmp_path, monkeypatch, run_anew):
    monkeypatch.setitem(sys.modules, "ipykernel.kernelspec", None)

    with pytest.raises(NoKernel, match=r"ipykernel cannot be imported by .*start\.py"):
        run_anew(tmp_path, "1")


@pytest.mark.skipif(not can_fork(), reason="processes are forked on Linux only")
def test_zygote_that_cannot_start_is_told_with_its_last_word_and_a_cure(tmp_path, monkeypatch):
    (tmp_path / "selectors.py").write_text("raise SystemExit('no such library')")
    with kernel_home() as home:
        with monkeypatch.context() as patch:
            patch.setenv("PYTHONPATH", str(tmp_path))
            zygote = ExitStack()
            zygote.enter_context(preloaded(home, "kernel"))
        with zygote, pytest.raises(NoKernel, match=r"could be forked: no such library\..*labkit doctor"):
            run_in(home, tmp_path, "1")


def test_cancelled_run_is_no_failed_cell(tmp_path, home):
    async def cancelled_at_the_first_cell():
        work = asyncio.current_task()

        def cancel():
            assert work is not None
            work.cancel()

        cells = [new_code_cell("1"), new_code_cell("while True: pass")]
        await execute(cells, tmp_path, home=home, after_cell=cancel)

    with pytest.raises(KeyboardInterrupt):
        run_kernels(cancelled_at_the_first_cell())
