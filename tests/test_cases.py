"""The named requests are the published ones, in their order, and one more."""

import pytest

from labkit.driver.cases import LABS, LEFT_OUT, WAITS, exchanges, outcome_of, published
from labkit.service.refusals import STATUS


@pytest.mark.parametrize("lab", LABS)
def test_every_published_case_is_sent_in_its_order_with_its_status_and_outcome(lab):
    wanted = [(row["case"], row["method"], row["path"], row["status"], row["outcome"]) for row in published(lab)]

    sent = [(each.name, each.method, each.path, each.status, each.outcome) for each in exchanges(lab)]

    assert sent[: len(wanted)] == wanted
    assert [name for name, *_ in sent[len(wanted) :]] == ([LEFT_OUT] if lab == "access" else [])


def test_case_that_was_left_out_is_a_handle_that_both_could_have_had():
    left_out = exchanges("access")[-1]

    assert left_out.issued is not None
    assert left_out.issued["to"] == "editor"
    assert left_out.issued["request"]["collection"] == "serialization"
    assert "reader" in left_out.authorization[0]
    assert (left_out.status, left_out.outcome) == (403, "handle_binding_mismatch")


def test_published_request_asks_for_what_our_row_asks_for():
    for lab in LABS:
        ours = {each.name: each for each in exchanges(lab)}
        for row in published(lab):
            if "request" in row:
                asked = {"version": "3.12", "k": 2} | ours[row["case"]].request
                assert asked | {"query": asked["query"].lower()} == row["request"]
                assert row["principal"] in ours[row["case"]].authorization[0]


def test_one_case_waits_and_only_the_failing_ones_have_a_failing_tool():
    every = [each for lab in LABS for each in exchanges(lab)]

    assert [each.name for each in every if each.waits] == [WAITS]
    assert {each.outcome for each in every if each.failing_tool} == {"tool_failure"}
    assert all(each.failing_tool for each in every if each.outcome == "tool_failure")


@pytest.mark.parametrize(
    ("status", "body", "outcome"),
    [
        (403, {"error": {"code": "collection_denied"}}, "collection_denied"),
        (200, {"results": [{}, {}]}, "2 handles"),
        (200, {"text": "a"}, "text returned"),
        (200, {"cache": "hit", "result": {}}, "hit"),
    ],
)
def test_reply_is_told_in_a_word_or_two(status, body, outcome):
    assert outcome_of(status, body) == outcome


def test_refused_cases_have_the_status_of_their_code():
    refused = [each for lab in LABS for each in exchanges(lab) if each.outcome in STATUS]

    assert all(each.status == STATUS[each.outcome] for each in refused)
    assert len(refused) > 5
