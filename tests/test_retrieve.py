"""Authorize, key, look up, search and read, look again, keep: each step in its place, whatever changes in between."""

import random
import threading
from contextlib import closing

import pytest

from labkit.access.gate import Gate
from labkit.access.policy import load_policy
from labkit.access.tool import LiteralTools
from labkit.canonical import canonical_bytes, canonical_hash
from labkit.clock import FakeClock
from labkit.corpus import corpus_of, document
from labkit.errors import Refusal
from labkit.fixtures import read_fixture
from labkit.results.result_cache import NotKept, ResultCache
from labkit.results.result_key import PIPELINE, ResultKey, explain
from labkit.results.retrieve import Outcome, result_of, retrieve
from labkit.search_request import search_request

JSON = {"query": "json", "collection": "serialization"}
FILES = {"query": "file", "collection": "files"}
PASSAGE_FIELDS = {
    *("passage_id", "source_id", "version", "document_revision", "source_sha256", "start_line"),
    *("end_line", "text_sha256", "byte_count", "text", "url"),
}


class Tools:
    """The lab's own tools; each search and read first does what the test has queued for it, and is counted."""

    def __init__(self, ranking="shared"):
        self.own = LiteralTools(ranking)
        self.at_search, self.at_read = [], []
        self.searches = self.reads = 0

    def __call__(self, corpus):
        return Tool(self, self.own(corpus))


class Tool:
    def __init__(self, tools, own):
        self.tools, self.own = tools, own

    def search(self, query, **eligible):
        self.tools.searches += 1
        happen(self.tools.at_search)
        return self.own.search(query, **eligible)

    def read(self, passage_id):
        self.tools.reads += 1
        happen(self.tools.at_read)
        return self.own.read(passage_id)

    def close(self):
        self.own.close()


class HookedClock(FakeClock):
    """A clock that does what is queued for its next readings: a way in between two steps that no tool sees."""

    def __init__(self):
        super().__init__()
        self.at_reading = []

    def __call__(self):
        happen(self.at_reading)
        return super().__call__()


def happen(queue):
    if queue and (action := queue.pop(0)):
        action()


@pytest.fixture
def tools():
    return Tools()


@pytest.fixture
def policy(corpus):
    return load_policy(corpus)


@pytest.fixture
def clock():
    """The gate's clock; the cache has its own."""
    return HookedClock()


@pytest.fixture
def gate(corpus, policy, clock, tools):
    with closing(Gate(corpus, policy, clock=clock, tool_factory=tools, max_handles=10)) as gate:
        yield gate
    tools.own.close()


@pytest.fixture
def cache_clock():
    return HookedClock()


@pytest.fixture
def cache(cache_clock):
    return ResultCache(clock=cache_clock)


def refused(call, *given):
    with pytest.raises(Refusal) as refusal:
        call(*given)
    return refusal.value.code


def kept(cache):
    return [entry.key for entry in cache.held()]


def added(corpus):
    return corpus_of([*corpus.documents, document("added", "3.12", "https://added.invalid/", "one more")])


def test_published_result_hash_is_reproduced():
    (row,) = read_fixture("identities.json")["empty_result"]
    ids = {name: row["value"][name] for name in ("principal", "policy_id", "corpus_id")}

    result = result_of(ResultKey(**ids, request=search_request(row["value"]["request"])), [])

    assert result == {**row["value"], "result_sha256": row["sha256"]}


def test_result_says_what_it_was_asked_under_and_hashes_all_of_it(gate, cache, policy, corpus):
    result = retrieve(gate, cache, "reader", JSON).result

    sha256 = result.pop("result_sha256")
    evidence = result.pop("evidence")
    assert result == {
        "status": "completed",
        "principal": "reader",
        "corpus_id": corpus.corpus_id,
        "policy_id": policy.policy_id,
        "request": {"query": "json", "collection": "serialization", "version": "3.12", "k": 2},
        "pipeline": PIPELINE.as_json(),
    }
    assert sha256 == canonical_hash({**result, "evidence": evidence})


def test_evidence_is_exactly_the_eleven_fields_of_each_passage_in_rank_order(gate, cache, corpus):
    evidence = retrieve(gate, cache, "editor", FILES).result["evidence"]

    wanted = {passage.source_id: passage for passage in corpus.passages if passage.version == "3.12"}
    assert evidence == [wanted["path-read"].as_json(), wanted["path-write"].as_json()]
    assert [set(passage) for passage in evidence] == [PASSAGE_FIELDS] * 2


def test_hit_gives_the_bytes_of_the_miss(gate, cache):
    miss, hit = (retrieve(gate, cache, "editor", FILES) for _ in range(2))

    assert (miss.cache, hit.cache) == (Outcome.MISS, Outcome.HIT)
    assert hit.content == miss.content == canonical_bytes(miss.result)
    assert hit.key == miss.key


def test_hit_still_answers_after_every_handle_has_expired(gate, clock, tools):
    cache = ResultCache(ttl=3600, clock=clock)
    first = retrieve(gate, cache, "editor", FILES)
    clock.advance(60)
    assert len(gate.handles) == 0

    again = retrieve(gate, cache, "editor", FILES)

    assert (again.cache, again.content) == (Outcome.HIT, first.content)
    assert (tools.searches, tools.reads, len(gate.handles)) == (1, 2, 0)


def test_hit_still_answers_after_every_handle_of_it_was_evicted(gate, cache):
    (handle,) = gate.search("reader", JSON)["results"]
    first = retrieve(gate, cache, "reader", JSON)
    for _ in range(10):
        gate.search("reader", JSON)
    assert refused(gate.read, "reader", handle) == "unissued_or_expired_handle"

    assert retrieve(gate, cache, "reader", JSON).content == first.content


def test_revoked_after_warm_is_denied_at_once_though_the_entry_is_still_kept(gate, cache, policy):
    first = retrieve(gate, cache, "reader", JSON)
    gate.replace(policy=policy.without("reader", "serialization"))

    assert refused(retrieve, gate, cache, "reader", JSON) == "collection_denied"

    assert kept(cache) == [first.key.cache_key]
    assert (cache.stats().hits, cache.stats().misses) == (0, 1)  # the first look-up, and none after it


def test_old_policy_restored_makes_an_unexpired_entry_reachable_and_no_other_policy_does(gate, cache, policy):
    first = retrieve(gate, cache, "reader", JSON)
    gate.replace(policy=policy.without("editor", "files"))
    assert retrieve(gate, cache, "reader", JSON).cache == "miss"

    gate.replace(policy=policy.without("editor", "files").with_grant("editor", "files"))

    again = retrieve(gate, cache, "reader", JSON)
    assert (again.cache, again.content) == (Outcome.HIT, first.content)


def test_changed_corpus_makes_an_entry_unreachable(gate, cache, corpus):
    first = retrieve(gate, cache, "reader", JSON)

    gate.replace(corpus=added(corpus))

    second = retrieve(gate, cache, "reader", JSON)
    assert second.cache == "miss"
    assert [each.part for each in explain(first.key, second.key).differences] == ["corpus_id"]


@pytest.mark.parametrize("principal", ["nobody", "", "synthetic-reader-token"])
def test_principal_that_the_policy_does_not_know_never_reaches_the_cache(gate, cache, tools, principal):
    retrieve(gate, cache, "reader", JSON)
    before = (cache.stats(), tools.searches)

    assert refused(retrieve, gate, cache, principal, JSON) == "unauthenticated"

    assert (cache.stats(), tools.searches) == before


@pytest.mark.parametrize("place", ["at_search", "at_read"])
def test_grant_revoked_during_a_miss_decides_and_nothing_is_kept(gate, cache, policy, tools, place):
    getattr(tools, place).append(lambda: gate.replace(policy=policy.without("reader", "serialization")))

    assert refused(retrieve, gate, cache, "reader", JSON) == "collection_denied"

    assert kept(cache) == []


@pytest.mark.parametrize("place", ["at_search", "at_read"])
def test_principal_that_is_gone_after_a_miss_began_is_not_known_any_more(gate, cache, corpus, tools, place):
    data = read_fixture("policy.json")
    del data["tokens"]["synthetic-reader-token"], data["grants"]["reader"]
    getattr(tools, place).append(lambda: gate.replace(policy=load_policy(corpus, data)))

    assert refused(retrieve, gate, cache, "reader", JSON) == "unauthenticated"

    assert kept(cache) == []


@pytest.mark.parametrize("place", ["at_search", "at_read"])
def test_policy_replaced_during_a_miss_is_the_one_that_the_answer_is_under(gate, cache, policy, tools, place):
    other = policy.without("editor", "files")
    getattr(tools, place).append(lambda: gate.replace(policy=other))

    answer = retrieve(gate, cache, "reader", JSON)

    assert answer.result["policy_id"] == answer.key.policy_id == other.policy_id
    assert kept(cache) == [answer.key.cache_key]
    assert retrieve(gate, cache, "reader", JSON).cache == "hit"


@pytest.mark.parametrize("place", ["at_search", "at_read"])
def test_corpus_replaced_during_a_miss_is_the_one_that_the_answer_is_from(gate, cache, corpus, tools, place):
    getattr(tools, place).append(lambda: gate.replace(corpus=added(corpus)))

    answer = retrieve(gate, cache, "reader", JSON)

    assert answer.result["corpus_id"] == answer.key.corpus_id == added(corpus).corpus_id
    assert kept(cache) == [answer.key.cache_key]


ISSUE, FIRST_CHECK, LAST_CHECK = range(3)
"""The gate's clock is read three times in a miss with one passage: once a search, twice a read."""


def at_reading(number, action):
    return [None] * number + [action]


def test_policy_replaced_after_the_last_read_leaves_nothing_under_the_old_key(gate, cache, clock, policy):
    other = policy.without("editor", "files")
    # The check that ends the read has looked at what is in force before it looks at the clock.
    clock.at_reading = at_reading(LAST_CHECK, lambda: gate.replace(policy=other))

    answer = retrieve(gate, cache, "reader", JSON)

    assert answer.key.policy_id == other.policy_id
    assert kept(cache) == [answer.key.cache_key]


def test_policy_replaced_and_restored_during_a_miss_leaves_no_result_under_the_wrong_key(
    gate, cache, clock, cache_clock, policy, tools
):
    other = policy.without("editor", "files")
    cache_clock.at_reading = [lambda: gate.replace(policy=other)]  # at the look-up: the key is made
    clock.at_reading = at_reading(LAST_CHECK, lambda: gate.replace(policy=policy))

    answer = retrieve(gate, cache, "reader", JSON)

    assert tools.searches == 2  # what was found under the other policy was thrown away
    assert answer.key.policy_id == answer.result["policy_id"] == policy.policy_id
    assert kept(cache) == [answer.key.cache_key]


def test_policy_that_never_stands_still_ends_as_tool_failure_after_three_restarts(gate, cache, policy, tools):
    policies = [policy.without("editor", "files"), policy] * 2
    tools.at_read = [lambda each=each: gate.replace(policy=each) for each in policies]

    assert refused(retrieve, gate, cache, "reader", JSON) == "tool_failure"

    assert (tools.searches, tools.at_read, kept(cache)) == (4, [], [])


def test_third_restart_may_still_answer(gate, cache, policy, tools):
    policies = [policy.without("editor", "files"), policy, policy.without("editor", "files")]
    tools.at_read = [lambda each=each: gate.replace(policy=each) for each in policies]

    assert retrieve(gate, cache, "reader", JSON).cache == "miss"

    assert tools.searches == 4


def test_handle_that_expires_during_a_miss_starts_the_retrieval_again(gate, cache, clock, tools):
    tools.at_read.append(lambda: clock.advance(60))

    assert retrieve(gate, cache, "reader", JSON).cache == "miss"

    assert (tools.searches, tools.reads) == (2, 2)


def test_searches_of_the_principal_during_its_miss_push_out_none_of_its_handles_and_it_none_of_theirs(
    gate, cache, tools
):
    theirs = []
    # As many as the gate keeps for a principal, whenever a read begins.
    tools.at_read = [lambda: theirs.extend(gate.search("reader", JSON)["results"][0] for _ in range(10))] * 4

    assert retrieve(gate, cache, "reader", JSON).cache == "miss"

    assert tools.searches == 11  # its own, and theirs: it did not have to begin again
    tools.at_read.clear()
    assert [gate.read("reader", handle)["source_id"] for handle in theirs] == ["json-text"] * 10
    assert len(gate.handles) == 10  # of its own, none is left


def fails():
    raise RuntimeError("private: the tool's own words")


@pytest.mark.parametrize("place", ["at_search", "at_read"])
def test_failed_tool_is_told_once_and_tried_again_next_time(gate, cache, tools, place):
    setattr(tools, place, [fails, fails])

    for attempt in (1, 2):
        with pytest.raises(Refusal) as refusal:
            retrieve(gate, cache, "reader", JSON)
        assert (refusal.value.code, tools.searches, kept(cache)) == ("tool_failure", attempt, [])
        assert "private" not in str(refusal.value)

    assert retrieve(gate, cache, "reader", JSON).cache == "miss"


def test_no_evidence_is_a_bypass_and_never_kept(gate, cache, tools):
    asked = {**JSON, "query": "zzzz"}

    answers = [retrieve(gate, cache, "reader", asked) for _ in range(2)]

    assert [(answer.cache, answer.result["status"]) for answer in answers] == [("bypass", "incomplete")] * 2
    assert (tools.searches, kept(cache)) == (2, [])
    assert cache.stats().refusals[NotKept.INCOMPLETE] == 2


def test_result_too_large_to_keep_still_answers_its_caller(gate, tools):
    cache = ResultCache(max_bytes=500)

    answers = [retrieve(gate, cache, "reader", JSON) for _ in range(2)]

    assert [answer.cache for answer in answers] == ["miss", "miss"]
    assert answers[0].result["evidence"][0]["source_id"] == "json-text"
    assert (tools.searches, kept(cache), cache.stats().refusals[NotKept.TOO_LARGE]) == (2, [], 2)


def test_change_to_an_answer_changes_no_other(gate, cache):
    first = retrieve(gate, cache, "reader", JSON)
    genuine = canonical_bytes(first.result)

    for answer in (first, retrieve(gate, cache, "reader", JSON)):
        mine = answer.result
        mine["principal"] = "editor"
        mine["evidence"][0]["text"] = "spoilt"
        mine["request"].clear()

        assert canonical_bytes(answer.result) == genuine
        assert canonical_bytes(retrieve(gate, cache, "reader", JSON).result) == genuine


def test_change_to_the_request_after_it_was_made_changes_nothing(gate, cache, tools):
    asked = dict(JSON)
    tools.at_search.append(lambda: asked.update(query="text"))

    answer = retrieve(gate, cache, "reader", asked)

    assert answer.result["request"] == answer.key.request.as_json()
    assert retrieve(gate, cache, "reader", JSON).content == answer.content


def test_permitted_ranking_is_named_in_the_result_and_has_an_entry_of_its_own(corpus, policy, gate, cache):
    retrieve(gate, cache, "reader", JSON)
    with closing(Gate(corpus, policy, ranking="permitted")) as permitted:
        first, second = (retrieve(permitted, cache, "reader", JSON) for _ in range(2))

    assert [first.cache, second.cache] == ["miss", "hit"]
    assert first.result["request"]["ranking"] == "permitted"


def test_reply_names_cache_cache_key_and_result(gate, cache):
    answer = retrieve(gate, cache, "reader", JSON)

    reply = answer.as_json()

    assert reply == {"cache": "miss", "cache_key": canonical_hash(answer.key.as_json()), "result": answer.result}
    assert answer.as_bytes() == canonical_bytes(reply)


def test_two_misses_at_once_both_search_and_neither_waits_for_the_other(gate, cache, tools):
    both = threading.Barrier(2, timeout=60)
    tools.at_search = [both.wait, both.wait]  # neither goes on before the other has come here
    answers = []

    threads = [threading.Thread(target=lambda: answers.append(retrieve(gate, cache, "reader", JSON))) for _ in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [answer.cache for answer in answers] == ["miss", "miss"]
    assert (tools.searches, len(kept(cache))) == (2, 1)


def test_four_threads_under_changing_policies_keep_nothing_under_a_key_that_is_not_its_own(corpus, policy):
    gate, cache = Gate(corpus, policy, max_handles=1024), ResultCache(max_entries=1024, ttl=3600, max_bytes=1_048_576)
    policies = [policy, policy.without("editor", "files"), policy.with_grant("reader", "files")]
    start, answers, codes = threading.Barrier(4), [], set()

    def hammer(seed):
        draw = random.Random(seed)
        start.wait()
        for _ in range(100):
            if draw.random() < 0.2:
                gate.replace(policy=draw.choice(policies))
            try:
                asked = draw.choice([JSON, FILES])
                answers.append(retrieve(gate, cache, draw.choice(["reader", "editor"]), asked))
            except Refusal as refusal:
                codes.add(refusal.code)

    threads = [threading.Thread(target=hammer, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    gate.close()

    assert codes <= {"collection_denied", "tool_failure"}
    for answer in answers:
        assert answer.content == canonical_bytes(result_of(answer.key, answer.result["evidence"]))
    results = {key: cache.get(key) or {} for key in kept(cache)}
    for key, result in results.items():
        ids = {name: result[name] for name in ("principal", "policy_id", "corpus_id")}
        assert ResultKey(**ids, request=search_request(result["request"])).cache_key == key
