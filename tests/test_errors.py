"""One tree of errors, with codes that are a contract."""

import pytest

from labkit.errors import CONFIG_ERRORS, REFUSALS, ConfigError, LabError, NotCanonical, Refusal


@pytest.mark.parametrize("code", REFUSALS)
def test_refusal_says_its_rule_when_nothing_closer_is_said(code):
    refusal = Refusal(code)

    assert (refusal.code, refusal.rule, str(refusal)) == (code, REFUSALS[code], f"{code}: {REFUSALS[code]}")


def test_refusal_may_say_the_rule_more_closely():
    assert Refusal("invalid_request", "k is 1 to 10").rule == "k is 1 to 10"


@pytest.mark.parametrize("make", [Refusal, lambda code: ConfigError(code, "a rule")])
def test_code_that_nobody_wrote_down_cannot_be_raised(make):
    with pytest.raises(KeyError):
        make("unauthorised")


def test_no_code_answers_both_a_caller_and_whoever_starts_the_lab():
    assert not CONFIG_ERRORS & REFUSALS.keys()


@pytest.mark.parametrize("error", [Refusal("tool_failure"), ConfigError("invalid_ttl", "0 < ttl"), NotCanonical("NaN")])
def test_every_error_is_a_lab_error(error):
    assert isinstance(error, LabError)
