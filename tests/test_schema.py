"""A body has exactly the fields of its model, each of exactly its type; the OpenAPI document says so, and is kept."""

import traceback

import pytest
import schemathesis
from hostile import Disguised, HostileDict, HostileText
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from live_server import READER, live_server
from pydantic import ValidationError
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import status_code_conformance

from labkit.errors import REFUSALS, Refusal
from labkit.search_request import search_request
from labkit.service.access_app import access_app
from labkit.service.refusals import STATUS
from labkit.service.results_app import results_app
from labkit.service.schema import ReadBody, SearchBody, checked

GOOD = {"query": "json", "collection": "serialization", "version": "3.12", "k": 2}
NEAR_MISSES = [
    *("json", "JSON", "json\n", "js on", "", "a" * 64, "a" * 65, "\u00b2", "\u212a", "é" * 64, "é" * 65),
    *("3.12", "3.12\n", "3", "3.", "3.1.2", "\u0663.\u0661", " 3.1", "2"),
    *("1." + "0" * 30, "1." + "0" * 31, "9" * 31 + ".1"),
    *(0, 1, 10, 11, -1, 10**30, True, False, 2.0, 3.12, None, [], ["json"], {}, {"a": 1}),
]
VALUES = st.sampled_from(NEAR_MISSES) | st.text() | st.integers() | st.floats()
ASKED = st.dictionaries(st.sampled_from([*GOOD, "ranking", "principal"]), VALUES) | VALUES


def as_request(value):
    """What the door of the gate makes of a value, or None when it refuses."""
    try:
        return search_request(value).as_json()
    except Refusal:
        return None


def as_body(value):
    """What the model makes of it, its word in lower case as the gate has it; None when it refuses."""
    try:
        body = checked(SearchBody, value).model_dump()
    except Refusal:
        return None
    return body | {"query": body["query"].lower()}


@pytest.mark.parametrize("field", GOOD)
def test_model_and_gate_agree_on_every_near_miss_of_a_field(field):
    for value in NEAR_MISSES:
        assert as_body(GOOD | {field: value}) == as_request(GOOD | {field: value}), value


@pytest.mark.parametrize("field", GOOD)
def test_model_and_gate_fill_the_same_defaults_and_miss_the_same_fields(field):
    asked = {name: value for name, value in GOOD.items() if name != field}

    assert as_body(asked) == as_request(asked)
    assert (as_body(asked) is None) is (field in ("query", "collection"))


@given(ASKED, ASKED)
@settings(max_examples=200, deadline=None)
def test_model_accepts_what_the_gate_accepts_and_nothing_else(value, more):
    near = GOOD | more if isinstance(more, dict) else more

    assert as_body(value) == as_request(value)
    assert as_body(near) == as_request(near)


def test_handle_of_any_kind_is_left_to_the_gate():
    for handle in (None, [], "text", 1, {"rank": 1}):
        assert checked(ReadBody, {"handle": handle}).handle == handle


OWN_TYPES = [
    pytest.param(value, id="own type") for value in (HostileDict(handle={}), {HostileText("handle"): {}}, Disguised())
]


@pytest.mark.parametrize("value", [{}, {"handle": {}, "principal": "editor"}, [], None, {"Handle": {}}, *OWN_TYPES])
def test_read_body_has_the_handle_and_no_other_field(value):
    with pytest.raises(Refusal, match="invalid_request"):
        checked(ReadBody, value)


def test_refusal_says_nothing_of_what_came_not_even_in_a_traceback():
    word = "-".join("abc")  # not a line of this file, which a traceback shows

    with pytest.raises(Refusal) as refused:
        checked(SearchBody, {"query": word, "collection": "a"})

    assert word not in "".join(traceback.format_exception(refused.value))


def test_body_that_was_checked_stays_as_it_was_checked():
    body = checked(SearchBody, GOOD)

    with pytest.raises(ValidationError):
        setattr(body, "k", 11)  # noqa: B010 - a type checker knows better


@pytest.fixture(scope="module", params=[access_app, results_app], ids=["access", "results"])
def server(request):
    with live_server(request.param()) as server:
        yield server


def test_document_names_every_status_and_every_code(server):
    for path in server.app.openapi()["paths"].values():
        responses = path["post"]["responses"]

        assert {int(status) for status in responses} == {200, *STATUS.values()}
        for code, status in STATUS.items():
            assert code in responses[str(status)]["description"]


def test_document_says_that_each_path_wants_a_bearer_token(server):
    document = server.app.openapi()
    schemes = document["components"]["securitySchemes"]

    for path in document["paths"].values():
        (wanted,) = path["post"]["security"]
        assert [schemes[name]["scheme"] for name in wanted] == ["bearer"]


def test_document_says_all_that_a_reply_may_hold(server):
    schemas = server.app.openapi()["components"]["schemas"]

    for name, schema in schemas.items():
        assert schema.get("additionalProperties") is (name == "ReadReply"), name
    assert schemas["ErrorCode"]["properties"]["code"]["enum"] == sorted(REFUSALS)
    if "RetrieveReply" in schemas:
        assert schemas["RetrieveReply"]["properties"]["cache"]["enum"] == ["hit", "miss", "bypass"]


def test_document_says_in_words_what_json_schema_cannot(server):
    text = str(server.app.openapi()["paths"])

    assert "5.0 is no integer here" in text
    assert "said twice is refused" in text


def test_whatever_the_document_allows_is_answered_as_it_says(server):
    document = schemathesis.openapi.from_dict(server.app.openapi())
    document.config.update(base_url=server.address)
    operations = [found.ok() for found in document.get_all_operations() if isinstance(found, Ok)]
    allowed = st.one_of(*(operation.as_strategy() for operation in operations))
    forbidden = st.one_of(*(operation.as_strategy(schemathesis.GenerationMode.NEGATIVE) for operation in operations))

    @given(allowed | forbidden)
    @settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
    def holds(case):
        reply = case.call(headers={"Authorization": READER})
        case.validate_response(reply, checks=[not_a_server_error, status_code_conformance])

    holds()
    assert len(operations) == len(document.raw_schema["paths"])
