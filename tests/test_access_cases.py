"""Who asks for what, and what must come back: the same rows for notebook, test and HTTP."""

import json

import pytest

from labkit.access.access_cases import access_cases, play
from labkit.errors import REFUSALS

CASES = access_cases()
PUBLISHED = [
    ("unknown_identity", "unauthenticated"),
    ("collection_denied", "collection_denied"),
    ("authorized_search", "2 handles"),
    ("authorized_read", "text returned"),
    ("foreign_handle", "collection_denied"),
    ("tampered_handle", "handle_binding_mismatch"),
    ("eligible_before_k", "1 handles"),
    ("invalid_boolean_k", "invalid_request"),
    ("empty_matches", "0 handles"),
    ("controlled_tool_failure", "tool_failure"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case_comes_out_as_its_row_says(case):
    played = play(case)

    assert played.outcome == case.outcome
    if case.hits is not None:
        results = played.reply["results"]
        assert case.hits == tuple((row["source_id"], row["version"], row["native_score"]) for row in results)


@pytest.mark.parametrize("case", CASES[:3], ids=lambda case: case.name)
def test_case_played_twice_comes_out_the_same(case):
    assert play(case) == play(case)


def test_first_rows_are_the_published_ones_in_their_order():
    assert [(case.name, case.outcome) for case in CASES[: len(PUBLISHED)]] == PUBLISHED


def test_refused_rows_outnumber_the_allowed_ones():
    refused = sum(case.outcome in REFUSALS for case in CASES)

    assert refused > len(CASES) - refused


def test_every_refusal_that_a_gate_can_give_has_a_row_that_ends_in_it():
    assert {case.outcome for case in CASES} & REFUSALS.keys() == {
        "unauthenticated",
        "collection_denied",
        "invalid_handle",
        "unissued_or_expired_handle",
        "handle_binding_mismatch",
        "invalid_request",
        "tool_failure",
    }


def test_names_tell_the_rows_apart():
    assert len({case.name for case in CASES}) == len(CASES)


def test_refused_case_returns_nothing_and_shows_no_private_text():
    refused = [play(case) for case in CASES if case.outcome in REFUSALS]

    assert {played.reply for played in refused} == {None}


def test_reply_is_json_as_it_stands():
    for case in CASES:
        reply = play(case).reply
        assert json.loads(json.dumps(reply)) == reply
