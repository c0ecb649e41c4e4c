"""One spelling and one hash for a value."""

import hashlib
import json
import math
from collections import OrderedDict
from pathlib import Path
from types import MappingProxyType

import pytest
from hostile import Disguised, HostileDict, HostileList, HostileText
from hypothesis import given
from hypothesis import strategies as st

from labkit.canonical import MAX_DEPTH, canonical_bytes, canonical_hash, canonical_json, frame, framed_hash, is_object
from labkit.errors import NotCanonical

FIXTURES = Path(__file__).parent.parent / "fixtures"
PUBLISHED = [
    pytest.param(row["value"], row["sha256"], id=f"{kind}-{row['case']}")
    for kind, rows in json.loads((FIXTURES / "identities.json").read_text()).items()
    if kind != "about"
    for row in rows
]
TEXT = st.text(st.characters(exclude_categories=["Cs"]))
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner))


def nested(levels):
    value: object = []
    for _ in range(levels - 1):
        value = [value]
    return value


def reordered(value):
    """The same value, with the keys of every object in the opposite order."""
    if isinstance(value, dict):
        return {key: reordered(value[key]) for key in reversed(value)}
    if isinstance(value, list):
        return [reordered(item) for item in value]
    return value


@pytest.mark.parametrize(("value", "sha256"), PUBLISHED)
def test_published_identity_is_reproduced(value, sha256):
    assert canonical_hash(value) == sha256


@given(VALUES)
def test_spelling_reads_back_as_the_same_value_with_the_same_types(value):
    back = json.loads(canonical_json(value))

    assert repr(reordered(reordered(back))) == repr(json.loads(json.dumps(value, sort_keys=True)))


@given(VALUES)
def test_key_order_never_shows(value):
    assert canonical_bytes(reordered(value)) == canonical_bytes(value)


@given(VALUES, VALUES)
def test_two_values_share_a_spelling_only_when_they_are_the_same(one, other):
    same = json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)

    assert (canonical_bytes(one) == canonical_bytes(other)) is same


@pytest.mark.parametrize(
    ("value", "spelling"),
    [
        ({"b": 1, "a": [True, None, 1.5]}, '{"a":[true,null,1.5],"b":1}'),
        ({"é": "Ω", "z": "\n"}, '{"z":"\\n","é":"Ω"}'),
        ({"\U00010000": 1, "\uffff": 2}, '{"\uffff":2,"\U00010000":1}'),  # code points, not UTF-16 units
        ({"outer": {"b": 1, "a": 2}}, '{"outer":{"a":2,"b":1}}'),
        (-1.6120689655172415e-06, "-1.6120689655172415e-06"),
        (-0.0, "-0.0"),
        ((1, (2,)), "[1,[2]]"),
    ],
)
def test_spelling_is_sorted_compact_and_raw(value, spelling):
    assert canonical_json(value) == spelling


def test_true_one_and_one_point_zero_are_three_values():
    assert len({canonical_hash(value) for value in [json.loads(text) for text in ("true", "1", "1.0")]}) == 3


def test_composed_and_decomposed_text_are_two_values():
    assert canonical_hash("\u00e9") != canonical_hash("e\u0301")


def test_hash_is_the_lowercase_sha256_of_the_spelling():
    assert canonical_hash({"b": 1, "a": "é"}) == hashlib.sha256('{"a":"é","b":1}'.encode()).hexdigest()


def test_sixty_four_levels_are_accepted_and_sixty_five_refused():
    assert canonical_json(nested(MAX_DEPTH)) == "[" * 64 + "]" * 64
    assert canonical_json([nested(MAX_DEPTH - 1), "scalar"]).endswith('"scalar"]')

    with pytest.raises(NotCanonical, match="at most 64 levels"):
        canonical_json(nested(MAX_DEPTH + 1))


def test_a_million_parts_are_accepted_and_one_more_refused():
    shared = [0] * 999
    assert len(canonical_bytes([shared] * 1000)) == 2_000_001

    with pytest.raises(NotCanonical, match="at most 1,000,000"):
        canonical_bytes([[shared] * 1000])


CYCLE: list[object] = []
CYCLE.append(CYCLE)
TWICE: list[object] = []
TWICE += [TWICE, TWICE]
DOUBLED: object = []
for _ in range(40):
    DOUBLED = {"a": DOUBLED, "b": DOUBLED}
REFUSED = {
    "NaN": math.nan,
    "infinity": [math.inf],
    "minus infinity": {"a": -math.inf},
    "a number as key": {1: "one"},
    "true as key": {True: "yes"},
    "null as key": {None: 0},
    "a tuple as key": {("a",): 0},
    "a key deep inside": [[{"a": {2: 3}}]],
    "a lone surrogate": "\ud800",
    "a lone surrogate as key": {"\udfff": 1},
    "bytes": b"abc",
    "a set": {"a"},
    "an object": object(),
    "a complex number": 1j,
    "an endless integer": 10**5000,
    "100,000 brackets": nested(100_000),
    "a list that holds itself": CYCLE,
    "a list that holds itself twice": TWICE,
    "40 dicts, each twice in the next": DOUBLED,
    "a dict of a caller's own type": HostileDict(),
    "a list of a caller's own type": [HostileList()],
    "keys of a caller's own type": {HostileText("a"): 1, HostileText("b"): 2},
    "an object that does not say what it is": [Disguised()],
}


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, [1.5, {"a": math.inf}]])
def test_number_that_is_not_finite_is_called_so(value):
    with pytest.raises(NotCanonical, match="a number that is not finite"):
        canonical_bytes(value)


@pytest.mark.parametrize("value", REFUSED.values(), ids=REFUSED)
def test_what_json_cannot_say_is_refused_with_one_error(value):
    with pytest.raises(NotCanonical) as refused:
        canonical_hash(value)

    assert isinstance(refused.value, ValueError)
    assert refused.value.code == "not_canonical"


def test_refusal_never_repeats_the_value():
    with pytest.raises(NotCanonical) as refused:
        canonical_json({"token": "secret-\ud800"})

    assert "secret" not in f"{refused.value!r} {refused.value.__cause__!r}"


@pytest.mark.parametrize("value", [{}, {"a": HostileDict()}, {"": None}])
def test_dict_with_texts_as_keys_is_an_object(value):
    assert is_object(value)


NO_OBJECTS = [None, [], "a", {1: 2}, {"a": 1, None: 2}, {HostileText("a"): 1}, HostileDict(a=1), OrderedDict(a=1)]


def test_what_json_has_no_such_thing_as_is_no_object():
    for value in (*NO_OBJECTS, MappingProxyType({"a": 1}), Disguised()):
        assert not is_object(value), type(value)


def test_frame_is_tag_length_and_content():
    assert frame("model", "é".encode()) == b"model:2:\xc3\xa9"


@given(
    st.lists(st.tuples(st.sampled_from(["a", "b", "a1"]), st.binary())), st.lists(st.tuples(st.just("a"), st.binary()))
)
def test_framed_parts_never_run_into_each_other(parts, others):
    assert (framed_hash(parts) == framed_hash(others)) is (parts == others)


@pytest.mark.parametrize("tag", ["", "a:1", ":"])
def test_tag_that_could_end_elsewhere_is_refused(tag):
    with pytest.raises(ValueError, match="without a colon"):
        frame(tag, b"")
