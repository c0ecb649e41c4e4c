"""Every rule of the gate in one table."""

from labkit.nbtools import rules
from labkit.nbtools.rules import RULES, level_of

ALL = [*rules.NOTEBOOK_RULES, *rules.LESSON_RULES, *rules.RUN_RULES, *rules.LESSON_RUN_RULES]


def test_every_rule_has_a_name_of_its_own_and_a_promise():
    assert len(RULES) == len(ALL)
    assert all(promise.endswith(".") for promise in RULES.values())


def test_no_rule_looks_at_a_stored_digest():
    assert not [promise for promise in RULES.values() if "digest" in promise or "checksum" in promise]


def test_words_and_seconds_are_told_and_all_else_fails_the_gate():
    assert {rule for rule in RULES if level_of(rule) != "error"} == {"empty-words", "words-per-line", "too-slow"}
