"""The meter sees what leaks; and whatever is asked in whatever order, the gate leaks nothing."""

from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labkit.access.gate import Gate, InForce
from labkit.access.handles import seeded_ids
from labkit.access.leak_meter import LeakMeter, labelled, who_may_see
from labkit.access.policy import load_policy
from labkit.access.ranking import bm25
from labkit.canonical import canonical_bytes
from labkit.clock import FakeClock
from labkit.corpus import Corpus, corpus_of, document
from labkit.errors import ConfigError, Refusal
from labkit.search import build_index

JSON = {"query": "json", "collection": "serialization"}


@pytest.fixture
def meter():
    return LeakMeter()


@pytest.fixture
def in_force(policy, corpus):
    return InForce(policy, corpus)


def passage_of(corpus, source_id):
    return next(passage for passage in corpus.passages if passage.source_id == source_id)


def test_source_is_for_whoever_has_a_grant_on_a_collection_that_holds_it(policy):
    assert who_may_see(policy, "json-text") == {"reader", "editor"}
    assert who_may_see(policy, "path-read") == {"editor"}
    assert who_may_see(policy.without("editor", "files"), "path-read") == frozenset()


def test_meter_counts_every_byte_of_handles_and_of_what_is_read(gate, meter):
    reply = gate.search("reader", JSON)
    result = gate.read("reader", reply["results"][0])

    meter.watch(reply, "reader", gate.in_force)
    meter.watch(result, "reader", gate.in_force)

    assert (meter.replies, meter.outside) == (2, 0)
    assert meter.returned == len(canonical_bytes(reply["results"][0])) + len(canonical_bytes(result))


def test_same_reply_given_to_somebody_else_is_outside_the_grant(gate, meter):
    reply = gate.search("editor", {"query": "file", "collection": "files"})

    meter.watch(reply, "reader", gate.in_force)

    assert meter.outside == meter.returned == sum(len(canonical_bytes(row)) for row in reply["results"])


def test_text_that_shows_anywhere_in_a_reply_is_seen(in_force):
    private = passage_of(in_force.corpus, "path-read")

    for reply in ({"error": [f"failed on: {private.text}"]}, {"error": {private.text: 1}}, {"error": (private.text,)}):
        meter = LeakMeter()
        meter.watch(reply, "reader", in_force)

        assert (meter.returned, meter.outside) == (private.byte_count, private.byte_count)


def test_text_of_one_passage_inside_the_object_of_another_is_seen(meter, in_force):
    own, private = (passage_of(in_force.corpus, name) for name in ("json-text", "path-read"))

    meter.watch({**own.as_json(), "text": private.text}, "reader", in_force)

    assert meter.outside == private.byte_count


def test_own_text_inside_its_own_object_is_counted_once(in_force):
    own = passage_of(in_force.corpus, "json-text")

    assert list(labelled(own.as_json(), in_force.corpus)) == [(own, len(canonical_bytes(own.as_json())))]


def test_reply_without_source_data_counts_nothing(gate, meter):
    meter.watch(gate.search("editor", {"query": "zzzz", "collection": "files"}), "reader", gate.in_force)

    assert (meter.replies, meter.returned, meter.outside) == (1, 0, 0)


def test_door_that_does_not_authorize_shows_on_the_meter(meter, in_force, corpus):
    with closing(build_index(corpus)) as index:
        reply = [hit.passage.as_json() for hit in index.ranked("file")]

    meter.watch(reply, "reader", in_force)

    assert 0 < meter.outside < meter.returned
    assert (
        repr(meter) == f"LeakMeter(1 replies, {meter.returned} bytes of source data, {meter.outside} outside the grant)"
    )


WORDS, PRINCIPALS, NAMES, SOURCES = ["file", "json"], ["ann", "bob"], ["red", "blue"], ["s0", "s1", "s2"]
OWN = None  # a handle is read by whoever it was issued to
# Two words or more: a text of one word would be found in the request that asks for it.
LINES = st.lists(st.lists(st.sampled_from(WORDS), min_size=2, max_size=4).map(" ".join), min_size=1, max_size=3)
GRANTS = st.fixed_dictionaries({name: st.sampled_from([NAMES, NAMES, ["red"], []]) for name in PRINCIPALS})
COLLECTIONS = st.fixed_dictionaries(
    {name: st.lists(st.sampled_from(SOURCES), min_size=1, unique=True) for name in NAMES}
)


@st.composite
def corpora(draw):
    """A corpus in which every source has one version or two, and each line of a document is a passage."""
    made = []
    for source in SOURCES:
        for version in draw(st.sampled_from([["3.12"], ["3.9"], ["3.12", "3.9"]])):
            lines = draw(LINES)
            spans = [(line, line) for line in range(1, len(lines) + 1)]
            made.append(document(source, version, f"https://{source}.invalid/", "\n".join(lines), spans))
    return corpus_of(made)


def as_it_is(corpus):
    return corpus


def cut_anew(corpus):
    """The same documents, each one passage: another snapshot with the same id, where a document has lines."""
    return corpus_of(document(each.source_id, each.version, each.url, each.text) for each in corpus.documents)


REQUESTS = st.fixed_dictionaries(
    {
        "query": st.sampled_from(WORDS),
        "collection": st.sampled_from([*NAMES * 3, "nowhere"]),
        "version": st.sampled_from(["3.12", "3.12", "3.9"]),
        "k": st.integers(1, 4),
    }
)
CHANGES = st.sampled_from(
    [{}] * 5 + [{"rank": 9}, {"principal": "bob"}, {"collection": "red"}, {"issued_id": "0" * 32}]
)
SEARCH = st.tuples(st.just("search"), st.sampled_from([*PRINCIPALS * 4, "nobody"]), REQUESTS)
READ = st.tuples(st.just("read"), st.sampled_from([OWN] * 5 + [*PRINCIPALS, "nobody"]), st.integers(0, 9), CHANGES)
STEPS = st.one_of(
    SEARCH,
    SEARCH,
    READ,
    READ,
    READ,
    st.tuples(st.just("revoke"), st.sampled_from(PRINCIPALS), st.sampled_from(NAMES)),
    st.tuples(st.just("grant"), st.sampled_from(PRINCIPALS), st.sampled_from(NAMES)),
    st.tuples(st.just("swap"), st.integers(0, 1), st.sampled_from([as_it_is] * 3 + [cut_anew])),
    st.tuples(st.just("advance"), st.sampled_from([1, 20, 59, 60])),
    st.tuples(st.just("evict"), st.sampled_from(PRINCIPALS), REQUESTS),
)


@dataclass
class Model:
    """What must come out, found by looking at every passage and every issued handle, one by one."""

    corpus: Corpus
    collections: dict[str, list[str]]
    grants: dict[str, set[str]]
    ranking: str
    now: float = 0
    cuts: dict[str, set[str]] = field(default_factory=dict)  # the passages of each snapshot that was in force, by id
    issued: list[Any] = field(default_factory=list)  # each: the handle, grants and corpus then, the time then

    def search(self, principal, asked):
        self.authorize(principal, asked["collection"])
        eligible = [passage for passage in self.corpus.passages if self.is_eligible(passage, asked)]
        counted = eligible if self.ranking == "permitted" else self.corpus.passages
        holding = [passage for passage in counted if asked["query"] in passage.text.split()]
        scored = [
            (self.score(each, asked["query"], counted, holding), each.passage_id)
            for each in eligible
            if each in holding
        ]
        return [(passage_id, score) for score, passage_id in sorted(scored)[: asked["k"]]]

    def is_eligible(self, passage, asked):
        return passage.source_id in self.collections[asked["collection"]] and passage.version == asked["version"]

    def score(self, passage, word, counted, holding):
        lengths = [len(each.text.split()) for each in counted]
        words = passage.text.split()
        average = sum(lengths) / len(lengths)
        return bm25(
            count=words.count(word), length=len(words), average=average, passages=len(counted), holding=len(holding)
        )

    def authorize(self, principal, collection):
        if principal not in self.grants:
            raise Refusal("unauthenticated")
        if collection not in self.grants[principal]:
            raise Refusal("collection_denied")

    def replace(self, corpus):
        passages = {each.passage_id for each in corpus.passages}
        if self.cuts.setdefault(corpus.corpus_id, passages) != passages:
            raise ConfigError("snapshot_cut_anew", "the same id, other passages")
        self.corpus = corpus

    def note(self, principal, handles):
        then = {name: set(granted) for name, granted in self.grants.items()}
        self.issued += [[handle, then, self.corpus.corpus_id, self.now] for handle in handles]
        own = [row for row in self.issued if row[0]["principal"] == principal and row[3] + 60 > self.now]
        for row in own[:-10]:
            self.issued.remove(row)

    def read(self, principal, handle):
        self.authorize(principal, handle["collection"])
        for issued, grants, corpus_id, since in self.issued:
            if issued["issued_id"] == handle["issued_id"] and since + 60 > self.now:
                if (issued, principal, grants, corpus_id) != (
                    handle,
                    issued["principal"],
                    self.grants,
                    self.corpus.corpus_id,
                ):
                    raise Refusal("handle_binding_mismatch")
                return self.corpus.passage(issued["passage_id"]).text
        raise Refusal("unissued_or_expired_handle")


def outcome(action, *arguments):
    """What came back, or the code of the refusal."""
    try:
        return action(*arguments)
    except (Refusal, ConfigError) as refused:
        return refused.code


class Run:
    """The gate and the model side by side: each step is taken by both, and what comes back is compared."""

    def __init__(self, pair, collections, grants, ranking):
        told = {"schema_version": 1, "description": "synthetic", "tokens": {"synthetic": "ann"}}
        policy = load_policy(pair[0], {**told, "collections": collections, "grants": grants})
        self.pair, self.clock, self.meter, self.handles = pair, FakeClock(), LeakMeter(), []
        self.gate = Gate(pair[0], policy, clock=self.clock, new_id=seeded_ids(1), max_handles=10, ranking=ranking)
        self.model = Model(pair[0], collections, {name: set(granted) for name, granted in grants.items()}, ranking)
        self.model.replace(pair[0])

    def search(self, principal, asked):
        reply, wanted = outcome(self.gate.search, principal, asked), outcome(self.model.search, principal, asked)
        if isinstance(reply, dict):
            self.meter.watch(reply, principal, self.gate.in_force)
            self.model.note(principal, reply["results"])
            self.handles.extend(reply["results"])
            reply = [(row["passage_id"], row["native_score"]) for row in reply["results"]]
        assert reply == wanted

    def read(self, principal, number, change):
        if self.handles:
            newest = self.handles[-1 - number % len(self.handles)]
            handle, principal = {**newest, **change}, principal or newest["principal"]
            result = outcome(self.gate.read, principal, handle)
            if isinstance(result, dict):
                self.meter.watch(result, principal, self.gate.in_force)
                result = result["text"]
            assert result == outcome(self.model.read, principal, handle)

    def evict(self, principal, asked):
        for _ in range(11):
            self.search(principal, asked)

    def revoke(self, principal, name):
        self.gate.replace(policy=self.gate.in_force.policy.without(principal, name))
        self.model.grants[principal].discard(name)

    def grant(self, principal, name):
        self.gate.replace(policy=self.gate.in_force.policy.with_grant(principal, name))
        self.model.grants[principal].add(name)

    def swap(self, number, cut):
        corpus = cut(self.pair[number])
        assert outcome(self.put, corpus) == outcome(self.model.replace, corpus)

    def put(self, corpus):
        self.gate.replace(corpus=corpus)

    def advance(self, seconds):
        self.clock.advance(seconds)
        self.model.now = self.clock()


@settings(max_examples=100, deadline=None)
@given(
    st.lists(corpora(), min_size=2, max_size=2),
    COLLECTIONS,
    GRANTS,
    st.sampled_from(["shared", "permitted"]),
    st.lists(STEPS, min_size=15, max_size=40),
)
def test_gate_equals_checking_every_passage_one_by_one_and_leaks_no_byte(pair, collections, grants, ranking, steps):
    run = Run(pair, collections, grants, ranking)

    with closing(run.gate):
        for step, *values in steps:
            getattr(run, step)(*values)

            assert run.meter.outside == 0
