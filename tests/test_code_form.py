"""How code in a notebook is written."""

import pytest
from sample_series import notebook

from labkit.nbtools.code_form import (
    imports_at_the_top,
    labkit_definitions,
    no_history,
    plain_python,
    retyped_name,
    setup_cell,
    star_import,
    trailing_semicolon,
    value_not_print,
)
from labkit.nbtools.series import Series

SERIES = Series.of_this_checkout()


@pytest.mark.parametrize("source", ["x;", "x;  # why", "x = 1;\nx", "f(\n  1\n);"])
def test_a_statement_that_ends_in_a_semicolon_is_found(source):
    assert list(trailing_semicolon(notebook(("code", source))))


@pytest.mark.parametrize("source", ["x = 1; x", "';'", "# x;", "x = '''\n;\n'''", "table(("])
def test_a_semicolon_elsewhere_hides_nothing(source):
    assert not list(trailing_semicolon(notebook(("code", source))))


@pytest.mark.parametrize("source", ["Out[1]", "In", "_", "_i", "x = _ + 1"])
def test_the_session_s_history_is_not_read(source):
    assert list(no_history(notebook(("code", source))))


@pytest.mark.parametrize("source", ["for _ in range(3):\n    _", "Outcome", "a, _ = x\n_"])
def test_a_name_that_the_notebook_binds_is_its_own(source):
    assert not list(no_history(notebook(("code", source))))


def test_public_names_are_known_and_private_ones_are_free():
    names, _ = labkit_definitions()

    assert names["canonical_hash"] == "labkit.canonical"
    assert "_check" not in names


@pytest.mark.parametrize(
    "source",
    [
        "class FakeClock:\n    pass",
        "def outer():\n    def check(a, b):\n        return a",
    ],
)
def test_a_definition_of_a_labkit_name_is_found_at_any_depth(source):
    assert list(retyped_name(notebook(("code", source)), SERIES))


@pytest.mark.parametrize(
    "source", ["def naive_hash(value):\n    return hash(value)", "def mine(self):\n    return self._now", "check = 3"]
)
def test_a_short_body_or_a_name_of_its_own_is_no_copy(source):
    assert not list(retyped_name(notebook(("code", source)), SERIES))


def told(rule, *cells):
    return [problem.message for problem in rule(notebook(*cells), SERIES)]


@pytest.mark.parametrize(
    "call",
    [
        "time.sleep(1)",
        "sleep(1)",
        "clear_output()",
        "update_display(1)",
        "interact(f)",
        "interactive_output(f)",
        "warnings.warn('x')",
        "os.system('ls')",
        "urlopen('x')",
        "get_ipython()",
        "%pip list",
        "!ls",
        "?len",
    ],
)
def test_call_that_lessons_do_not_make_is_found(call):
    assert "a call that lessons do not make" in told(plain_python, ("code", f"x = 1\n{call}"))


@pytest.mark.parametrize("source", ["sleep", "warned(1)", "'time.sleep(1)'", "# %pip list", "def f():\n    return 1"])
def test_other_calls_are_plain_python(source):
    assert not told(plain_python, ("code", source))


@pytest.mark.parametrize("call", ["print(1)", "pprint(1)", "display(1)", "def f():\n    print(1)", "out.print(1)"])
def test_cell_that_prints_is_found_wherever_the_call_stands(call):
    assert told(value_not_print, ("code", call)) == ["the cell prints"]


@pytest.mark.parametrize("source", ["printed(1)", "'print(1)'", "print"])
def test_speaking_of_print_prints_nothing(source):
    assert not told(value_not_print, ("code", source))


SETUP = ("code", "import json\nfrom labkit.clock import FakeClock", "setup")


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ([SETUP], []),
        ([("md", "text"), SETUP, ("code", "1")], []),
        ([("code", "import a\n" * 8, "setup")], []),
        ([("code", "import a\n" * 9, "setup")], ["the set-up is too long"]),
        ([("code", "import a\nx = 1", "setup")], ["the set-up holds more than imports"]),
        ([("code", "import a\n'a text'", "setup")], ["the set-up holds more than imports"]),
        ([("code", "import a")], ["the first code cell alone is the set-up"]),
        ([("code", "1"), SETUP], ["the first code cell alone is the set-up"]),
        ([SETUP, SETUP], ["the first code cell alone is the set-up"]),
        ([], ["the first code cell alone is the set-up"]),
    ],
)
def test_first_code_cell_alone_is_the_set_up_and_imports(cells, said):
    assert told(setup_cell, *cells) == said


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("from labkit.canonical import frame", True),
        ("from labkit import canonical", True),
        ("import json, labkit.canonical", True),
        ("import labkit as lab", True),
        ("def f():\n    from labkit.canonical import frame", True),
        ("from labkitchen import pot", False),
        ("from json import labkit", False),
        ("import json", False),
    ],
)
def test_labkit_is_imported_in_the_set_up_alone(source, found):
    assert bool(told(imports_at_the_top, SETUP, ("code", source))) is found
    assert not told(imports_at_the_top, ("code", source))


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("from json import *", True),
        ("def f():\n    pass\nfrom json import *", True),
        ("from json import dumps", False),
        ("2 * 3", False),
    ],
)
def test_star_import_is_found(source, found):
    assert bool(list(star_import(notebook(("code", source))))) is found


@pytest.mark.parametrize("name", ["In", "Out", "_", "__", "___", "_i", "_ii", "_iii", "_oh", "_ih", "_dh"])
def test_each_name_of_the_history_is_known(name):
    assert list(no_history(notebook(("code", f"x = {name}"))))
