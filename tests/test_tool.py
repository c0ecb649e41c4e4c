"""A tool searches and reads one snapshot; the lab's own stands on an index that is built once."""

import sqlite3
import threading

import pytest

from labkit.access.tool import BUILDERS, KEPT_CORPORA, LiteralTools
from labkit.corpus import corpus_of, document, synthetic
from labkit.search import build_index

ASKED = {"sources": frozenset({"json-text"}), "version": "3.12", "k": 2}


@pytest.fixture
def tools():
    tools = LiteralTools()
    yield tools
    tools.close()


@pytest.fixture
def built(monkeypatch):
    """The ids of the snapshots that an index was built for."""
    ids = []
    monkeypatch.setitem(BUILDERS, "shared", lambda corpus: ids.append(corpus.corpus_id) or build_index(corpus))
    return ids


def test_tool_searches_and_reads_its_snapshot(tools, corpus):
    tool = tools(corpus)

    (hit,) = tool.search("json", **ASKED)

    assert hit.passage.source_id == "json-text"
    assert tool.read(hit.passage.passage_id).text == hit.passage.text


def test_reading_what_the_snapshot_does_not_hold_fails(tools, corpus):
    with pytest.raises(KeyError):
        tools(corpus).read("unknown")


def test_index_outlives_the_tool(tools, corpus):
    tools(corpus).close()

    assert len(tools(corpus).search("json", **ASKED)) == 1


def test_index_is_built_once_for_each_snapshot(built, corpus):
    tools, grown = LiteralTools(), corpus_of([*corpus.documents, document("more", "3.12", "https://m.invalid/", "m")])

    for each in (corpus, grown, corpus, grown, corpus_of(corpus.documents)):
        tools(each)
    tools.close()

    assert built == [corpus.corpus_id, grown.corpus_id]


def test_two_cuts_of_the_same_documents_have_an_index_each(tools):
    cuts = [
        corpus_of([document("d", "3.12", "https://d.invalid/", "json\njson", s)]) for s in ([(1, 2)], [(1, 1), (2, 2)])
    ]

    found = [tools(cut).search("json", sources={"d"}, version="3.12", k=9) for cut in (*cuts, *cuts)]

    assert cuts[0].corpus_id == cuts[1].corpus_id
    assert [{hit.passage for hit in hits} for hits in found] == [{*cut.passages} for cut in (*cuts, *cuts)]


def test_only_the_last_few_snapshots_are_kept(built):
    tools, corpora = LiteralTools(), [synthetic(10, seed) for seed in range(KEPT_CORPORA + 1)]

    for each in (*corpora, corpora[0]):
        tools(each)
    tools.close()

    assert [corpora.index(next(c for c in corpora if c.corpus_id == each)) for each in built] == [0, 1, 2, 0]


def test_snapshot_longest_unused_makes_room(built):
    tools, (first, second, third) = LiteralTools(), [synthetic(10, seed) for seed in range(3)]

    for each in (first, second, first, third, first):  # the first is used again before the third comes
        tools(each)
    tools.close()

    assert built == [first.corpus_id, second.corpus_id, third.corpus_id]


def test_four_threads_that_need_an_index_at_once_build_one(monkeypatch, corpus):
    built, start, company = [], threading.Barrier(4), threading.Event()

    def build(corpus):
        built.append(corpus.corpus_id)
        if len(built) > 1:
            company.set()
        company.wait(timeout=0.3)  # a second builder, if one is let in, is here by then
        return build_index(corpus)

    def search():
        start.wait()
        tools(corpus).search("json", **ASKED)

    monkeypatch.setitem(BUILDERS, "shared", build)
    tools = LiteralTools()

    threads = [threading.Thread(target=search) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    tools.close()

    assert built == [corpus.corpus_id]


def test_index_that_made_room_still_answers_who_holds_it(corpus):
    tools = LiteralTools()
    held = tools(corpus)

    for seed in range(KEPT_CORPORA + 1):
        tools(synthetic(10, seed))

    assert len(held.search("json", **ASKED)) == 1
    tools.close()


def test_closed_tools_answer_no_more(corpus):
    tools = LiteralTools()
    tool = tools(corpus)

    tools.close()

    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        tool.search("json", **ASKED)


def test_ranking_contract_without_a_name_is_unknown():
    with pytest.raises(KeyError):
        LiteralTools("global")
