"""What forked kernels find imported, and that they are as fresh as new ones all the same."""

import pytest
from nbformat.v4 import new_code_cell

from labkit.nbtools.forked import can_fork, preloaded
from labkit.nbtools.kernels import execute, run_kernels
from labkit.nbtools.preload import PRELOADED
from labkit.nbtools.surroundings import kernel_home

pytestmark = pytest.mark.skipif(not can_fork(), reason="processes are forked on Linux only")

QUESTIONS = (
    "sys.argv[0], sys.argv[1], len(sys.argv), sys.path, sys.flags, sys.executable, sys.orig_argv[1:4]",
    "os.getcwd(), sorted(item for item in os.environ.items() if item[0] not in OWN)",
    "os.getpgrp() == os.getpid() == os.getsid(0), os.umask(18), os.nice(0), os.getpid() != os.getppid()",
    "[signal.getsignal(number) for number in (2, 13, 15, 17)], signal.pthread_sigmask(0, [])",
    "locale.setlocale(locale.LC_ALL), time.tzname, sys.getfilesystemencoding(), sys.flags.utf8_mode",
    "sys.modules['__main__'].__dict__ is globals(), sorted(name for name in globals() if name[0] != '_')",
    "[hash(text) for text in ('a', 'b')], gc.get_threshold(), sys.getrecursionlimit(), sys.getswitchinterval()",
    "sorted(re.sub(r'\\d+', '', thread.name) for thread in threading.enumerate())",
    "logging.root.handlers, logging.root.level, sys.stdin.read(), sys.excepthook.__qualname__",
    "'rfc3987_syntax' in sys.modules, 'pytest' in sys.modules, 'nbformat' in sys.modules",
    "[__import__('matplotlib').rcParams['backend'], __import__('tempfile').gettempdir()]",
    "__import__('numpy').get_printoptions(), __import__('labkit.errors').__file__",
)
IMPORTS = "import os, re, sys, signal, locale, time, gc, threading, logging"
OWN = "OWN = {'JPY_PARENT_PID', 'LABKIT_PROGRESS'}"


def values(folder, *sources, forked=True, homes=1):
    """What each cell shows, in a kernel of its own a home."""
    cells = [new_code_cell(source) for source in sources]
    with kernel_home() as home, preloaded(home, *(["kernel"] if forked else [])):
        runs = [run_kernels(execute(cells, folder, home=home)) for _ in range(homes)]
        texts = [[cell.outputs[0].data["text/plain"] for cell in run if cell.outputs] for run in runs]
    return [[text.replace(str(home), "HOME") for text in run] for run in texts]


def test_forked_kernel_is_as_fresh_as_a_new_one(tmp_path):
    new, forked = (values(tmp_path, f"{IMPORTS}\n{OWN}", *QUESTIONS, forked=forked)[0] for forked in (False, True))

    for question, before, after in zip(QUESTIONS, new, forked, strict=True):
        assert after == before, question


def test_what_one_kernel_changes_no_other_sees(tmp_path):
    first, second = values(
        tmp_path,
        "import os, random, secrets, pandas, numpy.random, labkit.corpus",
        "os.getpid(), random.random(), numpy.random.random(), secrets.token_hex(8)",
        "hasattr(labkit.corpus, 'mine'), pandas.options.display.width, 'MINE' in os.environ",
        "labkit.corpus.mine = 1; pandas.options.display.width = 40; os.environ['MINE'] = 'yes'",
        homes=2,
    )

    assert first[1] == second[1] == "(False, 80, False)"
    assert not set(first[0].strip("()").split(", ")) & set(second[0].strip("()").split(", "))


def test_everything_is_imported_before_the_fork_and_in_one_thread(tmp_path):
    names = ", ".join(map(repr, PRELOADED["kernel"]))
    log = "open(os.environ['HOME'] + '/kernel.log').read()"
    [[missing, said]] = values(
        tmp_path, f"import os, sys\n[name for name in ({names}) if name not in sys.modules]", log
    )

    assert missing == "[]"
    assert said == "''"


@pytest.mark.parametrize(
    "body",
    [
        "import threading, time\nthreading.Thread(target=time.sleep, args=(600,), daemon=True).start()\n",
        "import sys\nprint('old', file=sys.stderr)\n",
        "raise ValueError('not here')\n",
    ],
    ids=["starts a thread", "says something", "fails"],
)
def test_import_that_a_fork_would_change_is_left_to_each_kernel(body, tmp_path, monkeypatch):
    (tmp_path / "msgspec").mkdir()
    (tmp_path / "msgspec" / "__init__.py").write_text("")
    (tmp_path / "msgspec" / "json.py").write_text(body)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    assert values(tmp_path, "import sys\n'msgspec.json' in sys.modules, 'pandas' in sys.modules") == [
        ["(False, False)"]
    ]
