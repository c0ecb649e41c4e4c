"""What makes two retrievals the same, and which part it is when they are not."""

from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labkit.access.policy import load_policy
from labkit.canonical import canonical_hash
from labkit.corpus import corpus_of, document
from labkit.errors import NotCanonical
from labkit.fixtures import read_fixture
from labkit.results.result_key import Difference, Pipeline, ResultKey, explain
from labkit.search_request import SearchRequest, search_request

PUBLISHED = read_fixture("identities.json")["cache_key"]


@pytest.fixture
def policy(corpus):
    return load_policy(corpus)


@pytest.fixture
def key(policy, corpus):
    """The reader asks for `json` in `serialization`."""
    return ResultKey(
        principal="reader",
        policy_id=policy.policy_id,
        corpus_id=corpus.corpus_id,
        request=search_request({"query": "json", "collection": "serialization"}),
    )


def asking(key, **fields):
    """The same key for another request, as a caller would write it."""
    return replace(key, request=search_request({"query": "json", "collection": "serialization", **fields}))


@pytest.mark.parametrize("row", PUBLISHED, ids=[row["case"] for row in PUBLISHED])
def test_published_cache_key_is_reproduced(row):
    value = row["value"]
    ids = {name: value[name] for name in ("principal", "policy_id", "corpus_id")}
    key = ResultKey(**ids, request=search_request(value["request"]), pipeline=Pipeline(**value["pipeline"]))

    assert key.as_json() == value
    assert key.cache_key == row["sha256"]


def test_key_is_made_of_exactly_five_parts_and_the_pipeline_of_three(key):
    assert [field.name for field in fields(key)] == ["principal", "policy_id", "corpus_id", "request", "pipeline"]
    assert key.as_json()["pipeline"] == {"name": "literal-search-read", "version": 1, "max_passages": 10}


def test_another_principal_has_another_key(key):
    assert replace(key, principal="editor").cache_key != key.cache_key


def test_another_policy_has_another_key(key, policy):
    changed = replace(key, policy_id=policy.with_grant("reader", "files").policy_id)

    assert changed.cache_key != key.cache_key


def test_another_corpus_has_another_key(key, corpus):
    added = document("added", "3.12", "https://added.invalid/", "one more")
    changed = replace(key, corpus_id=corpus_of([*corpus.documents, added]).corpus_id)

    assert changed.cache_key != key.cache_key


def test_another_version_has_another_key(key):
    assert asking(key, version="3.9").cache_key != key.cache_key


@pytest.mark.parametrize("other", [{"collection": "files"}, {"k": 1}, {"query": "file"}])
def test_another_request_has_another_key(key, other):
    assert asking(key, **other).cache_key != key.cache_key


@pytest.mark.parametrize("pipeline", [Pipeline(version=2), Pipeline(name="other"), Pipeline(max_passages=9)])
def test_another_pipeline_has_another_key(key, pipeline):
    assert replace(key, pipeline=pipeline).cache_key != key.cache_key


@pytest.mark.parametrize("wrong", [{"version": 1.0}, {"version": True}, {"version": "1"}, {"max_passages": 10.0}])
def test_pipeline_is_numbered_in_whole_numbers(wrong):
    with pytest.raises(TypeError, match="whole numbers"):
        Pipeline(**wrong)


def test_another_ranking_contract_has_another_key(key):
    asked = {"query": "json", "collection": "serialization"}
    permitted = replace(key, request=search_request(asked, "permitted"))

    assert permitted.as_json()["request"]["ranking"] == "permitted"
    assert permitted.cache_key == canonical_hash(permitted.as_json()) != key.cache_key


def test_shared_ranking_is_hashed_as_published_without_a_field_of_its_own(key):
    assert list(key.as_json()["request"]) == ["query", "collection", "version", "k"]


@pytest.mark.parametrize("same", [{"version": "3.12"}, {"k": 2}, {"query": "JSON"}, {"query": "jSoN", "k": 2}])
def test_left_out_defaults_and_upper_case_share_an_entry(key, same):
    assert asking(key, **same).cache_key == key.cache_key


TEXT = st.text(st.characters(exclude_categories=["Cs"]))
REQUESTS = st.builds(
    SearchRequest, TEXT, TEXT, TEXT, st.integers(1, 10), st.sampled_from(["shared", "permitted"]) | TEXT
)
KEYS = st.builds(
    ResultKey,
    principal=TEXT,
    policy_id=TEXT,
    corpus_id=TEXT,
    request=REQUESTS,
    pipeline=st.builds(Pipeline, TEXT, st.integers(), st.integers(1, 10)),
)


@given(KEYS)
def test_key_spelled_by_hand_is_the_canonical_hash_of_its_parts(key):
    assert key.cache_key == canonical_hash(key.as_json())


@given(KEYS, KEYS)
def test_explanation_is_empty_exactly_when_the_keys_are_one(one, other):
    assert (explain(one, other).differences == ()) is (one.cache_key == other.cache_key)


def test_lone_surrogate_in_a_part_is_refused_in_the_words_of_the_canonical_form(key):
    with pytest.raises(NotCanonical, match="lone surrogate"):
        _ = replace(key, principal="\ud800").cache_key


def test_explanation_names_each_part_that_differs_and_what_each_key_has_there(key):
    other = replace(asking(key, k=1, version="3.9"), principal="editor", pipeline=Pipeline(version=2))

    assert explain(key, other).differences == (
        Difference("principal", "reader", "editor"),
        Difference("request.version", "3.12", "3.9"),
        Difference("request.k", 2, 1),
        Difference("pipeline.version", 1, 2),
    )


def test_explanation_names_the_ranking_contract_though_shared_is_not_hashed(key):
    permitted = replace(key, request=replace(key.request, ranking="permitted"))

    assert explain(key, permitted).differences == (Difference("request.ranking", "shared", "permitted"),)


def test_explanation_shows_itself_as_a_table_with_ids_cut(key):
    other = replace(key, policy_id="0123456789" * 6, principal="editor")

    assert repr(explain(key, other)).splitlines() == [
        "part      | first    | second",
        "----------+----------+---------",
        "principal | reader   | editor",
        f"policy_id | {key.policy_id[:8]} | 01234567",
    ]


def test_explanation_of_one_key_twice_says_that_it_is_the_same(key):
    assert explain(key, key).rows() == [{"part": "none", "first": "the same key", "second": "the same key"}]
