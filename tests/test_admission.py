"""Nothing runs before it is settled who asks, in which type, how much, and what: each rule, and their order."""

import asyncio
import json
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labkit.canonical import MAX_DEPTH, canonical_bytes
from labkit.errors import REFUSALS, Refusal
from labkit.service.admission import (
    MAX_BODY,
    MAX_DIGITS,
    expect_json_type,
    expect_length,
    read_body,
    strict_object,
)
from labkit.service.admission_cases import admission_cases

CASES = admission_cases()
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(10**MAX_DIGITS) + 1, 10**MAX_DIGITS - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4)
)
JSON_LIKE = st.lists(
    st.sampled_from(
        ["{", "}", "[", "]", ",", ":", '"a"', '"', "\\", "\\ud800", "1", "-", "e9", "NaN", "null", " ", "\n"]
    )
)


def refusal_of(function, *values):
    """The code that the call ends in, or None."""
    try:
        function(*values)
    except Refusal as refused:
        return refused.code
    return None


class Sender:
    """Gives the chunks one by one, as a server does, and counts those that were asked for."""

    def __init__(self, *chunks, hangs_up=False):
        self.messages = [{"type": "http.request", "body": chunk, "more_body": True} for chunk in chunks]
        if hangs_up:
            self.messages.append({"type": "http.disconnect"})
        else:
            self.messages.append({"type": "http.request", "body": b"", "more_body": False})
        self.asked = 0

    async def __call__(self):
        self.asked += 1
        return self.messages[self.asked - 1]


def read(sender):
    return asyncio.run(read_body(sender))


@pytest.mark.parametrize(
    "value",
    [
        "application/json",
        "Application/JSON",
        "application/json;charset=utf-8",
        'application/json; charset="UTF-8"',
        "application/json ; profile=lab; charset=utf-8 ",
        'application/json; profile="a lab"',
    ],
)
def test_json_in_utf_8_is_the_accepted_type(value):
    assert refusal_of(expect_json_type, [value]) is None


@pytest.mark.parametrize(
    "values",
    [
        [],
        [""],
        ["text/plain"],
        ["text/json"],
        ["application/jsonp"],
        ["xapplication/json"],
        ["application/problem+json"],
        ["application/json; charset=utf-16"],
        ["application/json; charset=latin-1"],
        ["application/json; charset=utf-8; charset=utf-16"],
        ["application/json; CHARSET=utf-7"],
        ['application/json; charset="utf-16"'],
        ["application/json; charset="],
        ["application/json;"],
        ["application/json, text/plain"],
        ["application/json\n"],
        ["application/\u017fson"],
        ["application/json", "application/json"],
    ],
)
def test_any_other_type_is_refused(values):
    assert refusal_of(expect_json_type, values) == "unsupported_media_type"


@pytest.mark.parametrize("declared", ["", "0", str(MAX_BODY), "00" + str(MAX_BODY), "junk", "-1"])
def test_length_within_the_limit_or_none_is_let_on(declared):
    assert refusal_of(expect_length, declared) is None


@pytest.mark.parametrize("declared", [str(MAX_BODY + 1), "9" * 19, "9" * 5000])
def test_longer_length_is_refused_before_the_body(declared):
    assert refusal_of(expect_length, declared) == "body_too_large"


def test_body_of_just_the_limit_is_read_whole():
    assert read(Sender(b"a" * (MAX_BODY - 1), b"", b"b")) == b"a" * (MAX_BODY - 1) + b"b"


def test_reading_stops_at_the_chunk_that_crosses_the_limit():
    sender = Sender(b"a" * MAX_BODY, b"b", b"c", b"d")

    assert refusal_of(read, sender) == "body_too_large"
    assert sender.asked == 2


def test_of_a_huge_chunk_one_byte_over_the_limit_is_kept():
    sender = Sender(b"a" * 10_000_000)
    asyncio.run(asyncio.sleep(0))  # what the first loop of a process loads is not the body's
    tracemalloc.start()

    refused = refusal_of(read, sender)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert refused == "body_too_large"
    assert peak < 20 * MAX_BODY


def test_caller_that_hangs_up_has_sent_no_whole_body():
    assert refusal_of(read, Sender(b"{}", hangs_up=True)) == "invalid_request"


@given(st.dictionaries(st.text(), VALUES, max_size=4))
@settings(max_examples=100, deadline=None)
def test_object_that_json_can_say_is_read_as_it_was_said(value):
    assert canonical_bytes(strict_object(json.dumps(value).encode())) == canonical_bytes(value)


@given(
    st.binary(max_size=200)
    | JSON_LIKE.map("".join).map(str.encode)
    | JSON_LIKE.map(lambda parts: "{" + "".join(parts) + "}").map(str.encode)
)
@settings(max_examples=400, deadline=None)
def test_whatever_the_bytes_are_they_are_an_object_or_one_and_the_same_refusal(content):
    value = refusal = None
    try:
        value = strict_object(content)
    except Refusal as refused:
        refusal = (refused.code, refused.rule, refused.__cause__)

    if refusal is None:
        assert value == json.loads(content.decode())
    else:
        assert refusal == ("invalid_request", REFUSALS["invalid_request"], None)


@given(
    VALUES.map(json.dumps),
    st.sampled_from(["NaN", "Infinity", "-Infinity", "1e400", "1" * 20, '"\\ud800"', '{"a":1,"a":1}']),
)
@settings(max_examples=100, deadline=None)
def test_one_forbidden_thing_anywhere_refuses_the_whole(before, forbidden):
    content = f'{{"before": {before}, "handle": [[{forbidden}]]}}'.encode()

    assert refusal_of(strict_object, content) == "invalid_request"


@pytest.mark.parametrize("content", [b"[]", b"[{}]", b'"a"', b"1", b"null", b"true", b"{} {}", b""])
def test_what_is_not_one_object_is_refused(content):
    assert refusal_of(strict_object, content) == "invalid_request"


@pytest.mark.parametrize("depth", [MAX_DEPTH, MAX_DEPTH + 1])
def test_depth_is_counted_from_the_object_itself(depth):
    content = b'{"a":' + b"[" * (depth - 1) + b"]" * (depth - 1) + b"}"

    assert (refusal_of(strict_object, content) is None) is (depth == MAX_DEPTH)


def test_refused_rows_outnumber_the_allowed_ones():
    refused = sum(case.outcome in REFUSALS for case in CASES)

    assert refused > 5 * (len(CASES) - refused)
    assert len({case.name for case in CASES}) == len(CASES)
