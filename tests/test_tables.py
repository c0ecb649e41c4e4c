"""Refusals are rows of a table, by name and rule; digests are cut."""

import pytest

from labkit.canonical import canonical_hash
from labkit.lesson.tables import decisions, short
from labkit.lesson.world import fresh_world
from labkit.text_table import Table


def test_decision_names_code_rule_and_public_function():
    shown = decisions(("a set", lambda: canonical_hash({1})), ("a list", lambda: canonical_hash([1])))

    assert shown == Table(
        ("request", "decision", "rule", "where"),
        (
            (
                "a set",
                "refused: not_canonical",
                "a value of type set; wanted a JSON value",
                "canonical.canonical_bytes",
            ),
            ("a list", "accepted", "", ""),
        ),
    )


def test_decision_may_be_called_something_else_than_accepted():
    assert decisions(("ask", lambda: 1), accepted="allowed").rows[0][1] == "allowed"


def test_decision_names_the_door_and_not_the_private_method_behind_it():
    world = fresh_world()

    assert decisions(("a text", lambda: world.gate.read("reader", "handle"))).rows[0][3] == "gate.Gate.read"


def test_mistake_that_is_no_refusal_is_not_swallowed():
    with pytest.raises(ZeroDivisionError):
        decisions(("a mistake", lambda: 1 // 0))


def test_digest_is_cut_to_eight_digits():
    assert short("0123456789abcdef") == "01234567"
