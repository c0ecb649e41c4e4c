"""How code in a notebook is written."""

import pytest
from sample_series import notebook

from labkit.nbtools.code_form import labkit_definitions, no_history, retyped_name, trailing_semicolon
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
