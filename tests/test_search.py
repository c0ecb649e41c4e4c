"""One word, looked up literally; eligible before the cut; the published scores to the last digit."""

import sqlite3
import threading
from contextlib import closing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labkit.corpus import corpus_of, document, synthetic
from labkit.errors import Refusal
from labkit.search import ELIGIBLE, KEPT_SETS, OBVIOUS, build_index, build_permitted_index, term_of, tokens


@pytest.fixture
def index(corpus):
    index = build_index(corpus)
    yield index
    index.close()


def named(hits):
    return [(hit.passage.source_id, hit.passage.version) for hit in hits]


def texts(*lines):
    """A corpus of one passage for each text, its source named after its place."""
    return corpus_of(document(f"t{n}", "3.12", "https://t.invalid/", text) for n, text in enumerate(lines))


PUBLISHED = [
    ("path-read", "3.12", -1.6120689655172415e-06),
    ("json-text", "3.12", -1.352622061482821e-06),
    ("path-write", "3.12", -1.3203883495145633e-06),
]


def test_published_scores_are_reproduced_to_the_last_digit(index):
    hits = index.ranked("file")

    assert [(hit.passage.source_id, hit.passage.version, hit.native_score) for hit in hits[:3]] == PUBLISHED


def test_filtering_changes_no_score_under_shared_statistics(index):
    (hit,) = index.search("file", sources={"json-text"}, version="3.12", k=1)

    assert (hit.passage.source_id, hit.native_score) == ("json-text", -1.352622061482821e-06)


def test_json_finds_json_text_alone_among_the_passages_of_serialization(index):
    hits = index.search("json", sources={"json-text"}, version="3.12", k=10)

    assert named(hits) == [("json-text", "3.12")]


def test_term_that_half_of_the_passages_hold_scores_at_the_floor():
    below = build_index(texts("common", "other", "other", "other"))
    at = build_index(texts("common", "common", "other", "other"))

    scores = [index.ranked("common")[0].native_score for index in (below, at)]
    below.close()
    at.close()

    assert scores[0] < -0.1  # rare: the score tells something
    assert -1e-5 < scores[1] < 0  # in half of the passages: a millionth, whatever the text says


def test_passage_that_ranks_below_k_among_all_comes_back_when_it_is_first_among_the_eligible(index):
    assert named(index.ranked("file", k=1)) == [("path-read", "3.12")]

    assert named(index.search("file", sources={"json-text"}, version="3.12", k=1)) == [("json-text", "3.12")]


def test_version_is_matched_exactly(index):
    writers = {"path-write"}

    assert named(index.search("file", sources=writers, version="3.9", k=9)) == [("path-write", "3.9")]
    assert named(index.search("file", sources=writers, version="3.1", k=9)) == []


@pytest.mark.parametrize("sources", [set(), {"nobody"}, {"path-read' OR 1=1 --"}])
def test_sources_that_hold_nothing_give_nothing(index, sources):
    assert index.search("file", sources=sources, version="3.12", k=10) == ()


def test_ties_are_broken_by_passage_id():
    corpus = texts(*["same words"] * 12, "others")
    index = build_index(corpus)

    ranked = [hit.passage.passage_id for hit in index.ranked("same")]
    cut = [hit.passage.passage_id for hit in index.search("same", sources=corpus.sources, version="3.12", k=5)]
    index.close()

    assert ranked == sorted(ranked)
    assert cut == ranked[:5]


def test_statement_runs_one_match_and_the_obvious_one_a_match_for_each_row(index):
    assert index.verdict(ELIGIBLE) == "one match, then the filter"
    assert index.verdict(OBVIOUS) == "a match for each eligible row"


@pytest.mark.parametrize("word", ["AND", "OR", "NOT", "NEAR", "not", "near"])
def test_fts5_operators_are_words(word):
    index = build_index(texts(f"this {word.lower()} that", "nothing of the kind", "nor this"))

    found = named(index.ranked(word))
    index.close()

    assert found == [("t0", "3.12")]


@pytest.mark.parametrize("word", ["AND", "json", "near"])
def test_word_reaches_fts5_as_a_quoted_string(index, word):
    said = []
    with index._reader() as reader:
        reader.connection.set_trace_callback(said.append)

    index.ranked(word)
    index.search(word, sources={"json-text"}, version="3.12", k=1)

    asked = [statement for statement in said if "MATCH" in statement]
    assert len(asked) == 2
    assert all(f"MATCH '\"{word.lower()}\"'" in statement for statement in asked)


@pytest.mark.parametrize("query", ["json", "JSON", "JsOn"])
def test_case_of_a_query_does_not_matter(index, query):
    assert named(index.ranked(query)) == [("json-text", "3.12")]


REFUSED = [
    "",
    "two words",
    "json*",
    '"json"',
    "json'",
    "text:json",
    "json-text",
    "json_text",
    "-json",
    "^json",
    "json\n",
    "\njson",
    "json\0",
    "(json)",
    "j.son",
    "\u0130",  # lower-cases to two characters
    "\u212aelvin",  # the Kelvin sign, which lower-cases to k
    "\uff4ason",  # full width
    "2\u00b2",
    "\u0661",  # a digit, but not an ASCII one
    "caf\u00e9",
    "\ud800",
    "a" * 65,
    None,
    3,
    True,
    ["json"],
    b"json",
]


@pytest.mark.parametrize("query", REFUSED, ids=repr)
def test_query_of_any_other_form_is_refused(index, query):
    with pytest.raises(Refusal, match="invalid_request"):
        term_of(query)
    with pytest.raises(Refusal, match="invalid_request"):
        index.search(query, sources={"json-text"}, version="3.12", k=1)


@pytest.mark.parametrize("query", ["a", "Z", "0", "a" * 64, "x86", "AND"])
def test_letters_and_digits_are_accepted_and_lowered(query):
    assert term_of(query) == query.lower()


def test_tokens_are_those_that_the_index_counts():
    assert tokens("Path.read_text, opens; ÉTÉ 3.10!") == ["path", "read", "text", "opens", "ete", "3", "10"]


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 10_000),
    st.sampled_from(["w000", "w001", "w017", "zzzz"]),
    st.sets(st.integers(0, 19)),
    st.sampled_from(["3.12", "3.9"]),
    st.integers(1, 10),
)
def test_search_equals_filtering_every_match_in_python(seed, word, numbers, version, k):
    corpus = synthetic(200, seed)
    index = build_index(corpus)
    sources = {f"s{number:05d}" for number in numbers}

    found = index.search(word, sources=sources, version=version, k=k)
    everything = index.ranked(word)
    index.close()

    wanted = [hit for hit in everything if hit.passage.source_id in sources and hit.passage.version == version]
    assert list(found) == wanted[:k]
    assert {hit.passage for hit in everything} == {each for each in corpus.passages if word in each.text.split()}


@pytest.mark.parametrize("build", [build_index, build_permitted_index])
def test_same_sources_in_another_version_are_another_eligible_set(build, corpus):
    with closing(build(corpus)) as index:
        for version in ("3.12", "3.9", "3.12"):
            assert named(index.search("file", sources={"path-write"}, version=version, k=9)) == [
                ("path-write", version)
            ]


@pytest.mark.parametrize("build", [build_index, build_permitted_index])
def test_other_sources_in_the_same_version_are_another_eligible_set(build, corpus):
    with closing(build(corpus)) as index:
        for sources in ({"path-write"}, {"path-read", "path-write"}, {"json-text"}, {"path-write"}):
            hits = index.search("file", sources=sources, version="3.12", k=9)
            assert {source for source, _ in named(hits)} == sources


def test_more_eligible_sets_than_are_kept_still_give_each_its_own_answer():
    corpus = synthetic(500, seed=3)
    index = build_index(corpus)

    for _ in range(2):
        for number in range(KEPT_SETS + 3):
            found = index.search("w001", sources={f"s{number:05d}"}, version="3.12", k=10)
            assert {hit.passage.source_id for hit in found} <= {f"s{number:05d}"}
    index.close()


def test_an_eligible_set_that_made_room_leaves_no_table_behind():
    index = build_index(synthetic(200, seed=3))

    for number in range(KEPT_SETS + 3):
        index.search("w001", sources={f"s{number:05d}"}, version="3.12", k=10)

    with index._reader() as reader:
        assert reader.connection.execute("SELECT count(*) FROM temp.sqlite_master").fetchone() == (KEPT_SETS,)
    index.close()


def test_eligible_set_longest_unused_makes_room():
    index, asked = build_index(synthetic(200, seed=3)), [f"s{number:05d}" for number in range(9)]

    for source in (*asked[:KEPT_SETS], asked[0], asked[8]):  # the first is used again before the ninth comes
        index.search("w001", sources={source}, version="3.12", k=10)

    with index._reader() as reader:
        assert [{*sources} for sources, _ in reader._sets] == [{each} for each in (*asked[2:8], asked[0], asked[8])]
    index.close()


def test_cheap_requests_for_what_is_not_there_push_out_no_eligible_set(index):
    with index._reader() as reader:
        pass  # the one connection that this thread uses
    index.search("file", sources={"json-text"}, version="3.12", k=1)
    kept = list(reader._sets)

    for number in range(KEPT_SETS + 1):
        assert index.search("file", sources={"json-text"}, version=f"0.{number}", k=1) == ()

    assert list(reader._sets) == kept


def test_index_cannot_be_written_through_a_search_connection(index):
    with index._reader() as reader, pytest.raises(sqlite3.OperationalError, match="readonly"):
        reader.connection.execute("INSERT INTO passages(rowid, text) VALUES (99, 'file')")


def test_four_threads_each_search_on_a_connection_of_their_own(index):
    inside, answers = threading.Barrier(4), []

    def search():
        with index._reader() as reader:
            inside.wait(timeout=30)  # all four hold one at the same time
            connections.add(id(reader))
        answers.append(named(index.search("file", sources={"json-text"}, version="3.12", k=2)))

    connections = set()
    threads = [threading.Thread(target=search) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(connections) == 4
    assert answers == [[("json-text", "3.12")]] * 4


class SlowlyCounted(list[object]):
    """Idle connections; while they are counted for the first time a second thread, if one is let in, comes along."""

    def __init__(self, idle):
        super().__init__(idle)
        self.counted, self.company = 0, threading.Event()

    def __len__(self):  # pyrefly: ignore[missing-override-decorator]
        found = super().__len__()
        self.counted += 1
        if self.counted > 1:
            self.company.set()
        self.company.wait(timeout=0.3)
        return found


def test_two_threads_that_want_the_one_idle_connection_get_two(index):
    index.ranked("json")  # it leaves one idle
    index._idle, inside, connections = SlowlyCounted(index._idle), threading.Barrier(2), set()

    def borrow():
        with index._reader() as reader:
            connections.add(id(reader))
            inside.wait(timeout=5)  # both hold one at the same time

    threads = [threading.Thread(target=borrow) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(connections) == 2


def test_closed_index_answers_no_more_and_closes_what_is_still_out(corpus):
    index = build_index(corpus)
    with index._reader() as reader:
        index.close()

    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        index.ranked("file")
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        reader.connection.execute("SELECT 1")
