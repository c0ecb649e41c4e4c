"""Every row of `fixtures/retrieve_cases.json` comes out as it says."""

from collections import Counter
from contextlib import closing

import pytest

from labkit.canonical import canonical_bytes
from labkit.results.retrieve_cases import Lab, retrieve_cases

CASES = retrieve_cases()
PUBLISHED = [
    ("first_miss", "miss"),
    ("normalized_hit", "hit"),
    ("other_principal_miss", "miss"),
    ("unknown_identity", "unauthenticated"),
    ("collection_denied", "collection_denied"),
    ("empty_bypass_first", "bypass"),
    ("empty_bypass_again", "bypass"),
    ("real_ttl_expired_miss", "miss"),
    ("tool_failure_first", "tool_failure"),
    ("tool_failure_again", "tool_failure"),
]
REFUSED = ("unauthenticated", "collection_denied", "invalid_request")


@pytest.fixture(params=CASES, ids=[case.name for case in CASES])
def case(request):
    return request.param


@pytest.fixture
def lab(case):
    with closing(Lab(**case.bounds)) as lab:
        yield lab


def test_case_comes_out_as_its_row_says(case, lab):
    assert lab.play(case) == case.outcome


def test_case_finds_the_evidence_of_its_row(case, lab):
    if case.evidence is None:
        assert case.outcome not in ("hit", "miss", "bypass")
        return
    lab.play(case)

    result = lab.ask(case.authorization, case.request).result

    assert tuple(passage["source_id"] for passage in result["evidence"]) == case.evidence


def test_refused_case_makes_no_tool_and_no_look_up(case, lab):
    if case.outcome not in REFUSED:
        return
    lab.play(case)
    before = (lab.tools.made, lab.cache.stats(), len(lab.gate.handles))

    lab.outcome(case.authorization, case.request)

    assert (lab.tools.made, lab.cache.stats(), len(lab.gate.handles)) == before


def test_reply_is_the_same_in_both_its_forms(case, lab):
    if case.evidence is None:
        return
    lab.play(case)

    answer = lab.ask(case.authorization, case.request)

    assert answer.as_bytes() == canonical_bytes(answer.as_json())


def test_published_cases_come_first_with_their_published_outcomes():
    assert [(case.name, case.outcome) for case in CASES[:10]] == PUBLISHED


def test_published_cases_come_out_in_order_in_one_lab_too():
    with closing(Lab()) as lab:
        for case in CASES[:10]:
            for step, *values in case.before:
                if step != "retrieve":  # the cases before this one have asked
                    lab.happen(step, *values)
            assert (case.name, lab.outcome(case.authorization, case.request)) == (case.name, case.outcome)


def test_refused_and_missed_rows_outnumber_the_hits():
    outcomes = Counter(case.outcome for case in CASES)

    assert outcomes["hit"] < sum(outcomes[code] for code in REFUSED)
    assert outcomes["hit"] < outcomes["miss"]
    assert len({case.name for case in CASES}) == len(CASES)


def test_policy_of_the_cases_says_that_it_is_synthetic():
    assert all("synthetic" in header for case in CASES for header in case.authorization)
