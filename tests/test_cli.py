"""The command `labkit`, as a person or CI calls it: in a process of its own."""

import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from subprocess import DEVNULL, PIPE

import pytest
from full_disk import FULL, NO_FOLDER, linux

from labkit.nbtools.notebook import read_lesson

ROOT = Path(__file__).parent.parent
CODES = ["0  all is well", "1  ", "2  wrong use", "3  could not run", "4  could not listen", "130  stopped"]


def command(*words, program=("-m", "labkit")):
    """How to start `labkit` with these words."""
    return [sys.executable, *program, *map(str, words)]


def settings(**others):
    """The environment of a person at a plain terminal of 80 columns."""
    return os.environ | {"COLUMNS": "80", "TERM": "dumb"} | others


def labkit(*words, program=("-m", "labkit"), cwd=None, **others):
    """What the command answers."""
    started = command(*words, program=program)
    return subprocess.run(
        started, cwd=cwd, env=settings(**others), capture_output=True, text=True, check=False, timeout=120
    )


@pytest.mark.parametrize("words", [["--help"], ["regenerate", "--help"], ["check", "--help"], ["doctor", "-h"]])
def test_help_fits_eighty_columns_and_tells_the_exit_codes(words):
    answer = labkit(*words)

    assert answer.returncode == 0
    assert max(map(len, answer.stdout.splitlines())) <= 80
    assert all(code in answer.stdout for code in CODES)


def test_every_rule_of_the_gate_is_named_on_a_line_of_its_own():
    answer = labkit("check", "--rules")

    assert answer.returncode == 0
    assert len(answer.stdout.splitlines()) >= 40
    assert "counters: Counters are 1, 2, 3" in answer.stdout


def test_help_names_every_command_and_loads_no_library_for_it():
    program = (
        "import sys; from labkit.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {'nbformat', 'nbclient', 'jupyter_client', 'IPython', 'pandas', 'matplotlib'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )

    answer = labkit("--help", program=("-c", program))

    assert [word in answer.stdout for word in ("lab ", "regenerate ", "check ", "doctor ")] == [True] * 4
    assert answer.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["regenerate", "77"], "no notebook is called 77; there are: 00_start_here"),
        (["regenerate", "gone.ipynb"], "no notebook is called gone.ipynb"),
        (["regenerate", "--jobs", "0"], "--jobs"),
        (["regenerate", "--chekc"], "--chekc"),
        (["regenrate"], "regenrate"),
        (["serve", "access", "--ttl", "-5"], "invalid_ttl: the access lab keeps no result"),
        (["serve", "results", "--ttl", "-5"], "invalid_ttl"),
        (["serve", "results", "--port", "65536"], "--port"),
    ],
)
def test_wrong_use_is_answered_by_two_and_a_sentence(words, reason):
    answer = labkit(*words)

    assert answer.returncode == 2
    assert reason in " ".join(answer.stderr.split())
    assert "Traceback" not in answer.stderr


@pytest.mark.parametrize("words", [["regenerate"], ["check"], ["lab", "--no-browser", "--fresh"]])
def test_lesson_that_there_is_not_is_told_alike_by_every_command(words):
    answer = labkit(*words, "77")

    assert answer.returncode == 2
    assert answer.stderr.startswith("labkit: no notebook is called 77; there are: 00_start_here, ")
    assert answer.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["0", "00", "00_start_here", "00_start_here.ipynb", "notebooks/00_start_here.ipynb"])
def test_lesson_is_named_by_number_stem_or_path(name):
    answer = labkit("regenerate", "--check", "--format-only", name, cwd=ROOT)

    assert "00_start_here" in answer.stdout
    assert "01_" not in answer.stdout
    assert answer.returncode in (0, 1)  # whether it is as recorded is another test's


def test_report_that_cannot_be_written_is_told_before_anything_is_run(notebook_file, tmp_path):
    path = notebook_file("1")
    (tmp_path / "a_file").touch()

    answer = labkit("check", path, "--junit", tmp_path / "a_file" / "report.xml")

    assert answer.returncode == 3
    assert answer.stderr.startswith(f"labkit: cannot use {tmp_path / 'a_file'}")
    assert answer.stdout == ""


@linux
@pytest.mark.parametrize(
    ("path", "reason"),
    [(FULL, "No space left on device"), (NO_FOLDER / "mine.json", "No such file"), (NO_FOLDER, "Is a directory")],
)
def test_file_that_cannot_be_written_is_told_by_every_command_that_is_given_one(notebook_file, path, reason):
    broken = notebook_file("1")
    broken.write_text("<<<<<<< ours\n")

    answers = [labkit("record", "access", "--output", path), labkit("check", broken, "--junit", path)]

    assert [answer.returncode for answer in answers] == [3, 3]
    for answer in answers:
        assert answer.stderr.startswith(f"labkit: cannot use {path}: {reason}")
        assert answer.stderr.count("\n") == 1


@pytest.mark.parametrize(("lab", "paths"), [("access", ["/search", "/read"]), ("results", ["/retrieve"])])
def test_document_of_a_lab_is_printed_and_nothing_is_served(lab, paths):
    answer = labkit("serve", lab, "--openapi", "--host", "192.0.2.1")  # no machine of ours: to listen would fail

    assert (answer.returncode, answer.stderr) == (0, "")
    assert list(json.loads(answer.stdout)["paths"]) == paths


@linux
@pytest.mark.parametrize("words", [["--help"], ["doctor"], ["check", "--rules"], ["record", "access"]])
def test_output_that_finds_no_room_ends_in_a_sentence(words, tmp_path):
    where = ["--output", tmp_path / "mine.json"] if "record" in words else []
    with FULL.open("w") as full:
        answer = subprocess.run(
            command(*words, *where), env=settings(), stdout=full, stderr=PIPE, text=True, check=False, timeout=120
        )

    assert (answer.returncode, answer.stderr) == (3, "labkit: cannot write: No space left on device\n")
    assert list(tmp_path.iterdir()) == []


def test_notebook_that_finds_no_room_stays_as_it_was(notebook_file, tmp_path):
    path = notebook_file("1")
    path.write_text(path.read_text().replace("\n ", "\n  "))  # another indent: it is to be put right
    before = path.read_bytes()
    program = "from full_disk import full_disk; from labkit.cli import main\nwith full_disk(): main()"

    answer = labkit("regenerate", "--format-only", path, program=("-c", program), PYTHONPATH=os.path.dirname(__file__))

    assert (answer.returncode, answer.stderr) == (3, f"labkit: cannot use {path}: File too large\n")
    assert [(left, left.read_bytes()) for left in tmp_path.iterdir()] == [(path, before)]


@pytest.mark.parametrize(("words", "where", "told"), [([], "", False), (["--github"], "", True), ([], "true", True)])
def test_annotations_are_printed_when_asked_for_and_by_github_itself(tmp_path, words, where, told):
    broken = tmp_path / "broken.ipynb"
    broken.write_text("<<<<<<< ours\n")

    answer = labkit("check", broken, *words, GITHUB_ACTIONS=where)

    assert answer.returncode == 1
    assert ("\n::error file=" in answer.stdout) is told


def test_broken_notebook_is_wrong_use_and_nothing_is_run(notebook_file):
    good, broken = notebook_file("1"), notebook_file("2", name="06_broken")
    broken.write_text("<<<<<<< ours\n")
    before = good.read_bytes()

    answer = labkit("regenerate", good, broken)

    assert answer.returncode == 2
    assert answer.stderr == f"labkit: {broken}: not JSON: Expecting value: line 1 column 1 (char 0)\n"
    assert good.read_bytes() == before


ELSEWHERE = {
    "as it is": {},
    "another hash seed": {"PYTHONHASHSEED": "7"},
    "another time zone, locale and width": {"TZ": "Asia/Tokyo", "LC_ALL": "C", "LANG": "C", "COLUMNS": "40"},
    "another home": {"HOME": "elsewhere", "XDG_CONFIG_HOME": "elsewhere", "MPLBACKEND": "svg"},
}


def test_every_surroundings_give_the_same_bytes(notebook_file, tmp_path):
    path = notebook_file(
        "# A → Ω",
        "import locale, os, time",
        "{'b', 'a', 'c'}, hash('a'), time.localtime(0).tm_hour, locale.format_string('%.1f', 1.5)",
        "list(range(60))",
        "open(os.environ['LABKIT_PROGRESS'], 'x').write('Ω'); os.path.basename(os.getcwd()) == os.environ.get('PWD')",
    )
    unrun, seen = path.read_bytes(), set()
    (tmp_path / "elsewhere").mkdir()

    for name, others in ELSEWHERE.items():
        path.write_bytes(unrun)
        ran = labkit("regenerate", path, cwd=tmp_path if name == "as it is" else tmp_path / "elsewhere", **others)
        seen.add((ran.returncode, path.read_bytes()))

    assert len(seen) == 1
    assert labkit("regenerate", "--check", path).returncode == 0


def test_failing_cell_is_told_once_and_checking_tells_what_would_change(notebook_file, tmp_path):
    failing, changed = notebook_file("1 / 0"), notebook_file("1", name="06_changed")
    before = changed.read_bytes()

    ran = labkit("regenerate", failing, cwd=tmp_path)
    checked = labkit("regenerate", "--check", changed, cwd=tmp_path)

    assert ran.returncode == checked.returncode == 1
    assert ran.stderr.startswith("labkit: 05_tiny.ipynb, cell 05_tiny-01: ZeroDivisionError: division by zero.")
    assert (ran.stdout + ran.stderr).count("ZeroDivisionError") == 1
    assert ran.stdout.startswith("05_tiny  failed")
    assert checked.stdout.splitlines()[1:] == ["    06_changed-01: counter, outputs"]
    assert checked.stdout.startswith("06_changed  would change")
    assert changed.read_bytes() == before

    repaired = labkit("regenerate", "--format-only", changed)

    assert repaired.returncode == 0
    assert read_lesson(changed).cells[0].execution_count == 1
    assert read_lesson(changed).cells[0].outputs == []


@pytest.mark.parametrize("missing", ["ipykernel", "nbclient"])
def test_missing_library_is_told_in_a_sentence_with_its_cure(notebook_file, missing):
    path = notebook_file("1")
    program = f"import sys; sys.modules[{missing!r}] = None; from labkit.cli import main; main()"

    answer = labkit("regenerate", path, program=("-c", program))

    assert answer.returncode == 3
    assert answer.stderr.startswith(f"labkit: {missing} ")
    assert "start.py" in answer.stderr
    assert answer.stderr.count("\n") == 1


STOPS_AT_AN_IMPORT = """
import sys
class Finder:
    def find_spec(self, name, *_):
        if name == {module!r}:
            print("there", flush=True)
            sys.stdin.read()
sys.meta_path.insert(0, Finder())
from labkit.cli import main
main()
"""


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(
    ("words", "module"),
    [
        (["regenerate"], "labkit.nbtools.regenerate"),
        (["check"], "labkit.nbtools.check"),
        (["doctor"], "labkit.doctor"),
        (["record", "access"], "labkit.driver.record"),
        (["serve", "access", "--port", "0"], "labkit.service.labs"),
        (["lab"], "labkit.jupyter"),
    ],
)
def test_command_that_is_stopped_before_its_work_has_begun_says_so(words, module, stop):
    started = command(*words, program=("-c", STOPS_AT_AN_IMPORT.format(module=module)))
    with subprocess.Popen(started, env=settings(), stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True) as run:
        assert (run.stdout or sys.stdin).readline() == "there\n"

        run.send_signal(stop)
        _, said = run.communicate(timeout=60)

    assert (run.returncode, said) == (130, "labkit: stopped; nothing is left running, and every file is whole\n")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_stopped_run_leaves_no_kernel_and_every_file_whole(notebook_file, tmp_path, stop):
    hang = "import subprocess; pipe = open({!r}, 'w'); print('x', file=pipe, flush=True)\nwhile True: pass"
    pipes = [tmp_path / "one", tmp_path / "two"]
    for pipe in pipes:
        os.mkfifo(pipe)
    paths = [notebook_file(hang.format(str(pipe)), name=f"0{n}_{pipe.name}") for n, pipe in enumerate(pipes)]
    before = [path.read_bytes() for path in paths]
    started = command("regenerate", *paths)
    run = subprocess.Popen(started, cwd=tmp_path, env=settings(), stdout=DEVNULL, stderr=PIPE, text=True)
    ends = [pipe.open() for pipe in pipes]
    assert [end.readline() for end in ends] == ["x\n", "x\n"]  # both kernels are in their cell

    run.send_signal(stop)
    _, said = run.communicate(timeout=30)

    assert run.returncode == 130
    assert said == "labkit: stopped; nothing is left running, and every file is whole\n"
    for end in ends:
        assert select.select([end], [], [], 10)[0] == [end]
        assert end.read() == ""  # nobody holds the other side: the kernel is gone
        end.close()
    assert [path.read_bytes() for path in paths] == before
    assert sorted(file.name for file in tmp_path.glob("*")) == ["00_one.ipynb", "01_two.ipynb", "one", "two"]
