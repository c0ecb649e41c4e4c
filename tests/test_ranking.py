"""A score by hand, and what a document that one may not see does to it."""

import threading
from contextlib import closing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labkit.access.ranking import FLOOR, bm25, moves, word_weight, worked
from labkit.corpus import Passage, corpus_of, document, load_corpus, synthetic
from labkit.search import KEPT_SETS, PermittedIndex, build_index, build_permitted_index

READER = {"sources": frozenset({"json-text"}), "version": "3.12", "k": 10}
HIDDEN = document("diary", "3.12", "https://hidden.invalid/", "a file in a file in a file")


def seen(build, documents, query="file", **asked):
    with closing(build(corpus_of(documents))) as index:
        return index.search(query, **{**READER, **asked})


def test_bm25_by_hand_is_the_published_score_to_the_last_digit(corpus):
    passage = next(each for each in corpus.passages if each.source_id == "json-text")

    by_hand = worked(corpus.passages, passage, "file")

    assert by_hand == (2, 36, 34.0, 4, 4, FLOOR, -1.352622061482821e-06)


def test_bm25_by_hand_is_what_fts5_says_for_every_passage_and_word():
    corpus = synthetic(60, seed=5)
    with closing(build_index(corpus)) as index:
        for word in ("w003", "w050", "w121"):
            for hit in index.ranked(word):
                assert worked(corpus.passages, hit.passage, word).score == hit.native_score


def test_rare_word_weighs_more_and_a_frequent_one_weighs_the_floor():
    weights = [word_weight(100, holding) for holding in (1, 10, 49, 50, 51, 100)]

    assert weights == sorted(weights, reverse=True)
    assert weights[2] > FLOOR
    assert weights[3:] == [FLOOR] * 3


def test_more_of_the_word_scores_better_and_more_of_the_rest_worse():
    asked = {"average": 30.0, "passages": 100, "holding": 5}

    assert bm25(count=2, length=30, **asked) < bm25(count=1, length=30, **asked) < 0
    assert bm25(count=1, length=20, **asked) < bm25(count=1, length=30, **asked)


def test_one_hidden_document_moves_the_readers_own_score_under_shared(corpus):
    before = seen(build_index, corpus.documents)
    after = seen(build_index, [*corpus.documents, HIDDEN])

    (move,) = moves(before, after)
    assert (move.rank_before, move.rank_after) == (1, 1)
    assert move.score_before == -1.352622061482821e-06
    assert move.score_after != move.score_before


def test_no_hidden_document_moves_anything_under_permitted(corpus):
    before = seen(build_permitted_index, corpus.documents)
    after = seen(build_permitted_index, [*corpus.documents, HIDDEN])

    assert len(before) == 1
    assert moves(before, after) == ()


def test_id_of_the_whole_snapshot_moves_all_the_same(corpus):
    assert corpus_of([*corpus.documents, HIDDEN]).corpus_id != corpus.corpus_id


def test_scores_of_the_two_contracts_are_two_scales(corpus):
    (shared,) = seen(build_index, corpus.documents, "json")
    (permitted,) = seen(build_permitted_index, corpus.documents, "json")

    assert shared.passage == permitted.passage
    assert shared.native_score != permitted.native_score


def test_permitted_statistics_are_those_of_exactly_the_eligible_passages(corpus):
    files = {"sources": frozenset({"path-read", "path-write"}), "version": "3.12"}
    own = [each for each in corpus.passages if each.source_id in files["sources"] and each.version == "3.12"]

    for hit in seen(build_permitted_index, corpus.documents, **files):
        assert hit.native_score == worked(own, hit.passage, "file").score


NUMBERS = st.sets(st.integers(0, 19), min_size=1)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 1000), NUMBERS, NUMBERS, st.sampled_from(["3.12", "3.9"]), st.sampled_from(["w001", "w090"]))
def test_adding_or_removing_any_document_elsewhere_moves_nothing_under_permitted(seed, own, gone, version, word):
    documents = synthetic(200, seed).documents
    asked = {"sources": frozenset(f"s{number:05d}" for number in own), "version": version}
    elsewhere = {f"s{number:05d}" for number in gone - own}
    more = synthetic(20, seed + 1).documents[0]
    added = document("elsewhere", version, more.url, more.text)

    before = seen(build_permitted_index, documents, word, **asked)
    fewer = seen(build_permitted_index, [each for each in documents if each.source_id not in elsewhere], word, **asked)
    grown = seen(build_permitted_index, [*documents, added], word, **asked)

    assert moves(before, fewer) == moves(before, grown) == ()


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 1000), st.sets(st.integers(0, 19)), st.sampled_from(["3.12", "3.9"]))
def test_both_contracts_find_the_same_passages(seed, own, version):
    documents = synthetic(200, seed).documents
    asked = {"sources": frozenset(f"s{number:05d}" for number in own), "version": version, "k": 200}

    found = [
        {hit.passage for hit in seen(build, documents, "w007", **asked)}
        for build in (build_index, build_permitted_index)
    ]

    assert found[0] == found[1]


def test_more_eligible_sets_than_are_kept_still_answer():
    with closing(build_permitted_index(synthetic(300, seed=2))) as index:
        for _ in range(2):
            for number in range(KEPT_SETS + 3):
                sources = frozenset({f"s{number:05d}"})
                hits = index.search("w001", sources=sources, version="3.12", k=10)
                assert {hit.passage.source_id for hit in hits} <= sources
            assert len(index._kept) == KEPT_SETS


class SlowlyRead(list[Passage]):
    """Passages during whose first reading a second reader, if one is let in, comes along."""

    def __init__(self, passages):
        super().__init__(passages)
        self.read, self.company = [], threading.Event()

    def __getitem__(self, row):  # pyrefly: ignore[missing-override-decorator]
        self.read.append(row)
        if len(self.read) > 1:
            self.company.set()
        self.company.wait(timeout=0.3)
        return super().__getitem__(row)


def test_four_threads_that_need_the_same_eligible_set_at_once_build_one_index(corpus):
    passages, start, found = SlowlyRead(corpus.passages), threading.Barrier(4), []

    def search():
        start.wait(timeout=30)
        found.append(index.search("file", **READER))

    with closing(PermittedIndex(passages)) as index:
        threads = [threading.Thread(target=search) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert len(passages.read) == 1  # the one passage of json-text
    assert found == [seen(build_permitted_index, corpus.documents)] * 4


def test_index_longest_unused_makes_room():
    asked = [f"s{number:05d}" for number in range(9)]
    with closing(build_permitted_index(synthetic(200, seed=3))) as index:
        for source in (*asked[:KEPT_SETS], asked[0], asked[8]):  # the first is used again before the ninth comes
            index.search("w001", sources={source}, version="3.12", k=10)

        assert [{*sources} for sources, _ in index._kept] == [{each} for each in (*asked[2:8], asked[0], asked[8])]


def test_cheap_requests_for_what_is_not_there_push_out_no_index(corpus):
    with closing(build_permitted_index(corpus)) as index:
        index.search("file", **READER)
        kept = list(index._kept)

        for number in range(KEPT_SETS + 1):
            assert index.search("file", **{**READER, "version": f"0.{number}"}) == ()

        assert list(index._kept) == kept


def test_moves_name_what_came_went_and_changed_place():
    documents = load_corpus().documents
    everything = {"sources": frozenset({"json-text", "path-read", "path-write"})}
    before = seen(build_index, documents, **everything)
    after = (before[1], before[0])

    gone = {move.passage_id: (move.rank_before, move.rank_after) for move in moves(before, after)}

    assert gone == {
        before[0].passage.passage_id: (1, 2),
        before[1].passage.passage_id: (2, 1),
        before[2].passage.passage_id: (3, None),
    }
    assert moves((), before[:1])[0][1:3] == (None, 1)


@pytest.mark.parametrize("hits", [(), (1,)])
def test_nothing_moved_is_an_empty_answer(corpus, hits):
    same = seen(build_index, corpus.documents)[: len(hits)]

    assert moves(same, same) == ()
