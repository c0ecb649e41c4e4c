"""What a caller may ask, with its defaults filled; every other field or form is refused."""

from collections import OrderedDict
from types import MappingProxyType

import pytest
from hostile import Disguised, HostileDict, HostileText

from labkit.errors import Refusal
from labkit.search_request import SearchRequest, search_request


def test_request_has_its_defaults_filled():
    asked = {"query": "FILE", "collection": "files"}

    assert search_request(asked) == SearchRequest("file", "files", "3.12", 2)
    assert search_request(asked).as_json() == {"query": "file", "collection": "files", "version": "3.12", "k": 2}
    assert search_request({**asked, "version": "3.12", "k": 2}) == search_request(asked)


@pytest.mark.parametrize("k", [1, 10])
@pytest.mark.parametrize("collection", ["f", "é" * 64])
@pytest.mark.parametrize("version", ["0.0", "1." + "0" * 30, "9" * 30 + ".1"])
def test_request_may_stand_on_either_end_of_its_ranges(k, collection, version):
    request = search_request({"query": "file", "collection": collection, "version": version, "k": k})

    assert (request.k, request.collection, request.version) == (k, collection, version)


GOOD = {"query": "file", "collection": "files", "version": "3.12", "k": 2}


@pytest.mark.parametrize(
    "asked",
    [
        None,
        [],
        "file",
        {},
        {"query": "file"},
        {"collection": "files"},
        *({**GOOD, "k": k} for k in (True, False, 2.0, "2", None, 0, -1, 11, [2])),
        *({**GOOD, "version": version} for version in ("3", "3.", ".3", "3.12\n", "3.x", "", None, 3.12, "\u0663.1")),
        *({**GOOD, "version": version} for version in ("1." + "0" * 31, "9" * 31 + ".1")),
        *({**GOOD, "collection": collection} for collection in ("", "c" * 65, None, 3, ["files"])),
        *({**GOOD, "query": query} for query in ("", "two words", "json*", "json\n", "\u212aelvin", None, 3)),
        *(kind(GOOD) for kind in (HostileDict, OrderedDict, MappingProxyType)),
        {HostileText("query"): "file", "collection": "files"},
        *({**GOOD, field: HostileText(GOOD[field])} for field in ("query", "collection", "version")),
        *({**GOOD, field: Disguised()} for field in GOOD),
        *({**GOOD, field: "x"} for field in ("principal", "policy", "policy_id", "ranking", "bypass", "sources")),
    ],
    ids=lambda asked: type(asked).__name__,
)
def test_request_of_any_other_form_is_refused(asked):
    with pytest.raises(Refusal, match="invalid_request"):
        search_request(asked)


def test_refusal_never_repeats_what_was_asked():
    with pytest.raises(Refusal) as refused:
        search_request({**GOOD, "secret-field": "secret-value"})

    assert "secret" not in str(refused.value)


def test_ranking_contract_shows_only_when_it_is_not_the_published_one():
    assert "ranking" not in search_request(GOOD).as_json()
    assert search_request(GOOD, "permitted").as_json() == {**GOOD, "ranking": "permitted"}
