"""Filter, then cut: a passage one may see is never crowded out by those one may not."""

from contextlib import closing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labkit.access.eligible import eligible, recall
from labkit.corpus import synthetic
from labkit.search import build_index

SERIALIZATION = {"json-text"}


@pytest.fixture
def ranked(corpus):
    with closing(build_index(corpus)) as index:
        return index.ranked("file")


def named(hits):
    return [(hit.passage.source_id, hit.passage.version) for hit in hits]


def test_first_among_the_eligible_comes_back_though_it_is_second_among_all(ranked):
    assert named(ranked[:1]) == [("path-read", "3.12")]

    assert named(eligible(ranked, sources=SERIALIZATION, version="3.12", k=1)) == [("json-text", "3.12")]


def test_cutting_first_loses_it(ranked):
    assert eligible(ranked[:1], sources=SERIALIZATION, version="3.12", k=1) == ()


def test_order_is_kept_and_the_cut_is_at_k(ranked):
    both = {"json-text", "path-read", "path-write"}

    assert named(eligible(ranked, sources=both, version="3.12", k=2)) == [("path-read", "3.12"), ("json-text", "3.12")]


@pytest.mark.parametrize("version", ["3.9 ", "3.1", "3", "", "3.10"])
def test_version_is_matched_exactly(ranked, version):
    assert eligible(ranked, sources={"path-write"}, version=version, k=10) == ()


@pytest.mark.parametrize("sources", [set(), {"json"}, {"JSON-TEXT"}, {"json-text "}])
def test_source_is_matched_exactly(ranked, sources):
    assert eligible(ranked, sources=sources, version="3.12", k=10) == ()


def test_recall_is_the_share_of_the_wanted_that_was_found(ranked):
    assert recall(ranked[:1], ranked) == 1 / len(ranked)
    assert recall(ranked, ranked[:2]) == 1.0
    assert recall((), ranked) == 0.0
    assert recall((), ()) == 1.0


@settings(max_examples=30, deadline=None)
@given(
    st.integers(0, 1000),
    st.lists(
        st.tuples(
            st.sampled_from(["w000", "w017", "w239", "absent"]),
            st.sets(st.integers(0, 29)),
            st.sampled_from(["3.12", "3.9", "3.1"]),
            st.integers(1, 10),
        ),
        max_size=12,  # more than the eligible sets that an index keeps
    ),
)
def test_filter_pushed_into_sql_equals_filtering_every_match_in_python(seed, queries):
    with closing(build_index(synthetic(300, seed))) as index:
        for word, numbers, version, k in queries:
            asked = {"sources": frozenset(f"s{number:05d}" for number in numbers), "version": version, "k": k}

            assert index.search(word, **asked) == eligible(index.ranked(word), **asked)


def test_recall_is_one_at_fifty_thousand_passages():
    corpus = synthetic(50_000)
    sources = frozenset(f"s{number:05d}" for number in range(0, 5000, 100))  # one in a hundred

    with closing(build_index(corpus)) as index:
        for word in ("w001", "w100", "w200"):
            wanted = eligible(index.ranked(word), sources=sources, version="3.12", k=10)
            found = index.search(word, sources=sources, version="3.12", k=10)

            assert len(wanted) == 10
            assert recall(found, wanted) == 1.0
            assert found == wanted
            # what cutting at k first would have kept
            assert recall(eligible(index.ranked(word, k=10), sources=sources, version="3.12", k=10), wanted) < 0.5
