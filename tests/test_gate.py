"""The only door to source text: each rule, in its order, at every moment."""

import json
import math
import sqlite3
import threading
from collections import OrderedDict
from contextlib import closing
from types import MappingProxyType
from typing import NamedTuple

import pytest
from hostile import Disguised, HostileDict, HostileList, HostileText

from labkit.access.gate import RESTARTS, Gate
from labkit.access.handles import seeded_ids
from labkit.access.policy import Policy, load_policy
from labkit.access.tool import BUILDERS, LiteralTools
from labkit.canonical import canonical_hash
from labkit.corpus import corpus_of, document, load_corpus
from labkit.errors import ConfigError, Refusal
from labkit.fixtures import read_fixture
from labkit.search import build_index

FILES = {"query": "file", "collection": "files", "version": "3.12", "k": 2}
JSON = {"query": "json", "collection": "serialization", "version": "3.12", "k": 2}
MORE = document("more", "3.12", "https://more.invalid/", "one more file")


class WatchedTools:
    """A factory of the lab's own tools that counts what is made, used and closed, and lets a test step in."""

    def __init__(self):
        self.own = LiteralTools()
        self.made = self.searches = self.reads = self.closed = 0
        self.during_search = self.during_read = self.at_close = lambda: None

    def __call__(self, corpus):
        self.made += 1
        return WatchedTool(self, self.own(corpus))


class WatchedTool:
    def __init__(self, watch, tool):
        self.watch, self.tool = watch, tool

    def search(self, query, **asked):
        self.watch.searches += 1
        found = self.tool.search(query, **asked)
        stand_in = self.watch.during_search()
        return found if stand_in is None else stand_in

    def read(self, passage_id):
        self.watch.reads += 1
        passage = self.tool.read(passage_id)
        stand_in = self.watch.during_read()
        return passage if stand_in is None else stand_in

    def close(self):
        self.watch.closed += 1
        self.watch.at_close()


@pytest.fixture
def tools():
    tools = WatchedTools()
    yield tools
    tools.own.close()


@pytest.fixture
def watched(corpus, policy, clock, tools):
    """A gate whose tools are watched."""
    with closing(Gate(corpus, policy, clock=clock, new_id=seeded_ids(7), tool_factory=tools)) as gate:
        yield gate


def refusal_of(action, *arguments):
    with pytest.raises(Refusal) as refused:
        action(*arguments)
    return refused.value.code


def only_handle(gate, principal="reader", asked=JSON):
    return gate.search(principal, asked)["results"][0]


def regrouped(gate, **collections):
    """The policy in force with these collections instead, and the same grants."""
    data = read_fixture("policy.json")
    data["collections"].update(collections)
    return load_policy(gate.in_force.corpus, data)


def test_search_replies_with_who_under_what_which_request_and_handles(gate, policy, corpus):
    reply = gate.search("editor", {"query": "FILE", "collection": "files"})

    assert {name: reply[name] for name in ("principal", "policy_id", "corpus_id", "request")} == {
        "principal": "editor",
        "policy_id": policy.policy_id,
        "corpus_id": corpus.corpus_id,
        "request": FILES,
    }
    assert [(row["source_id"], row["rank"]) for row in reply["results"]] == [("path-read", 1), ("path-write", 2)]


def test_search_request_id_is_the_hash_of_principal_policy_corpus_and_request(gate):
    reply = gate.search("editor", FILES)

    hashed = {name: reply[name] for name in ("principal", "policy_id", "corpus_id", "request")}
    assert reply["search_request_id"] == canonical_hash(hashed)
    assert {row["search_request_id"] for row in reply["results"]} == {reply["search_request_id"]}


def test_handle_says_which_passage_and_nothing_of_what_is_in_it(gate):
    assert set(only_handle(gate)) == {
        "principal",
        "collection",
        "policy_id",
        "corpus_id",
        "search_request_id",
        "rank",
        "native_score",
        "passage_id",
        "source_id",
        "version",
        "document_revision",
        "source_sha256",
        "start_line",
        "end_line",
        "text_sha256",
        "byte_count",
        "issued_id",
    }


def test_read_gives_the_handle_the_text_the_url_and_a_hash_over_all_of_it(gate, corpus):
    handle = only_handle(gate)
    passage = corpus.passage(handle["passage_id"])

    result = gate.read("reader", handle)

    sha256 = result.pop("result_sha256")
    assert result == {**handle, "text": passage.text, "url": passage.url}
    assert sha256 == canonical_hash(result)


def test_search_without_a_match_gives_no_handle(gate):
    assert gate.search("editor", {**FILES, "query": "zzzz"})["results"] == []


def test_handle_that_went_through_an_honest_json_round_trip_is_accepted(gate):
    handle = only_handle(gate)
    text = json.dumps({name: handle[name] for name in sorted(handle, reverse=True)})
    spelled = f"{handle['native_score']:.30f}"

    for honest in (text, text.replace(repr(handle["native_score"]), spelled)):
        assert gate.read("reader", json.loads(honest))["source_id"] == "json-text"


def test_reply_of_ten_handles_holds_ten_living_ones(clock):
    corpus = corpus_of(document(f"t{n}", "3.12", "https://t.invalid/", "file") for n in range(12))
    data = {**read_fixture("policy.json"), "collections": {"files": [f"t{n}" for n in range(12)]}}
    policy = load_policy(corpus, {**data, "grants": {"reader": [], "editor": ["files"]}})

    with closing(Gate(corpus, policy, clock=clock, max_handles=10)) as gate:
        for _ in range(3):
            handles = gate.search("editor", {**FILES, "k": 10})["results"]

        assert len([gate.read("editor", handle) for handle in handles]) == 10


def test_shared_replies_as_published_and_permitted_names_itself_in_reply_and_identity(corpus, policy):
    replies = {}
    for ranking in ("shared", "permitted"):
        with closing(Gate(corpus, policy, ranking=ranking)) as gate:
            replies[ranking] = gate.search("reader", JSON)

    assert replies["shared"]["request"] == JSON
    assert replies["permitted"]["request"] == {**JSON, "ranking": "permitted"}
    assert replies["shared"]["search_request_id"] != replies["permitted"]["search_request_id"]
    assert replies["shared"]["results"][0]["native_score"] != replies["permitted"]["results"][0]["native_score"]


def test_caller_cannot_choose_the_ranking_contract(gate):
    assert refusal_of(gate.search, "reader", {**JSON, "ranking": "permitted"}) == "invalid_request"


@pytest.mark.parametrize(
    ("principal", "asked", "code"),
    [
        ("reader", FILES, "collection_denied"),
        ("reader", {**JSON, "collection": "nowhere"}, "collection_denied"),
        ("nobody", JSON, "unauthenticated"),
        ("reader", {**JSON, "k": True}, "invalid_request"),
        ("reader", {**JSON, "principal": "editor"}, "invalid_request"),
        ("reader", None, "invalid_request"),
    ],
)
def test_refused_search_makes_no_tool(watched, tools, principal, asked, code):
    assert refusal_of(watched.search, principal, asked) == code

    assert (tools.made, tools.searches, len(watched.handles)) == (0, 0, 0)


@pytest.mark.parametrize(
    ("principal", "change", "code"),
    [
        ("nobody", {}, "unauthenticated"),
        ("reader", {"collection": "files"}, "collection_denied"),
        ("editor", {}, "handle_binding_mismatch"),
        ("reader", {"rank": 2}, "handle_binding_mismatch"),
        ("reader", {"issued_id": "0" * 32}, "unissued_or_expired_handle"),
    ],
)
def test_refused_read_makes_no_tool(watched, tools, principal, change, code):
    handle = only_handle(watched)
    made = tools.made

    assert refusal_of(watched.read, principal, {**handle, **change}) == code

    assert (tools.made, tools.reads) == (made, 0)


def test_tool_is_closed_after_each_operation(watched, tools):
    watched.read("reader", only_handle(watched))

    assert (tools.made, tools.closed) == (2, 2)


def fail():
    raise RuntimeError("private words")


@pytest.mark.parametrize("moment", ["during_search", "during_read", "at_close"])
def test_failing_tool_is_closed_and_says_no_more_than_tool_failure(watched, tools, moment):
    handle = only_handle(watched)
    setattr(tools, moment, fail)
    action = (watched.search, "reader", JSON) if moment != "during_read" else (watched.read, "reader", handle)

    with pytest.raises(Refusal) as refused:
        action[0](*action[1:])

    assert refused.value.code == "tool_failure"
    assert (tools.made, tools.closed) == (2, 2)
    assert "private" not in f"{refused.value!r} {refused.value} {refused.value.rule}"
    assert "private" in str(refused.value.__cause__)


def test_tool_that_cannot_be_made_is_a_tool_failure(corpus, policy):
    with closing(Gate(corpus, policy, tool_factory=lambda _: fail())) as gate:
        assert refusal_of(gate.search, "reader", JSON) == "tool_failure"


def test_interrupt_closes_the_tool_and_is_no_refusal(watched, tools):
    def interrupt():
        raise KeyboardInterrupt

    tools.during_search = interrupt

    with pytest.raises(KeyboardInterrupt):
        watched.search("reader", JSON)
    assert (tools.made, tools.closed) == (1, 1)


def test_failure_hands_out_no_handle(watched, tools):
    tools.at_close = fail

    refusal_of(watched.search, "reader", JSON)

    assert len(watched.handles) == 0


def test_what_a_tool_finds_outside_the_grant_is_filtered_all_the_same(watched, tools, corpus):
    everything = tools.own(corpus).search("file", sources=corpus.sources, version="3.12", k=10)
    tools.during_search = lambda: everything  # best of all is path-read, which the reader may not see

    reply = watched.search("reader", {**JSON, "query": "file", "k": 1})

    assert [row["source_id"] for row in reply["results"]] == ["json-text"]


def test_passage_that_is_not_the_snapshots_is_a_tool_failure(watched, tools, corpus):
    handle = only_handle(watched)
    (forged,) = document("json-text", "3.12", "https://f.invalid/", "another text").passages
    (hit,) = tools.own(corpus).search("json", sources={"json-text"}, version="3.12", k=1)
    tools.during_search = lambda: [hit._replace(passage=forged)]
    tools.during_read = lambda: forged

    assert refusal_of(watched.search, "reader", JSON) == "tool_failure"
    assert refusal_of(watched.read, "reader", handle) == "tool_failure"


@pytest.mark.parametrize("score", [math.nan, -math.inf, None, "-1.5", True, -1, 10**5000, object()], ids=type)
def test_score_that_is_no_finite_number_is_a_tool_failure_and_leaves_no_handle(watched, tools, corpus, score):
    good, other = tools.own(corpus).search("file", sources={"path-read", "path-write"}, version="3.12", k=2)
    tools.during_search = lambda: [good, other._replace(native_score=score)]

    assert refusal_of(watched.search, "editor", FILES) == "tool_failure"
    assert len(watched.handles) == 0


def test_search_that_the_policy_changed_under_is_judged_by_the_new_one(watched, tools, policy):
    tools.during_search = lambda: watched.replace(policy=policy.without("reader", "serialization"))

    assert refusal_of(watched.search, "reader", JSON) == "collection_denied"
    assert len(watched.handles) == 0


def test_search_starts_again_under_the_new_policy_and_its_handles_are_good(watched, tools, policy):
    wider = policy.with_grant("reader", "files")
    tools.during_search = lambda: watched.replace(policy=wider)

    reply = watched.search("reader", JSON)

    assert (reply["policy_id"], tools.searches, tools.closed) == (wider.policy_id, 2, 2)
    assert watched.read("reader", reply["results"][0])["source_id"] == "json-text"


def test_search_starts_again_on_a_new_corpus(watched, tools, corpus):
    grown = corpus_of([*corpus.documents, MORE])
    tools.during_search = lambda: watched.replace(corpus=grown)

    reply = watched.search("reader", JSON)

    assert (reply["corpus_id"], tools.searches) == (grown.corpus_id, 2)


def test_search_gives_up_after_three_restarts(watched, tools, policy):
    policies = [policy, policy.with_grant("reader", "files")]
    tools.during_search = lambda: watched.replace(policy=policies[tools.searches % 2])

    assert refusal_of(watched.search, "reader", JSON) == "tool_failure"
    assert (tools.searches, len(watched.handles)) == (1 + RESTARTS, 0) == (4, 0)


def test_search_that_finds_its_third_restart_quiet_answers(watched, tools, policy):
    policies = [policy, policy.with_grant("reader", "files")]
    tools.during_search = lambda: watched.replace(policy=policies[min(tools.searches, 3) % 2])

    assert len(watched.search("reader", JSON)["results"]) == 1
    assert tools.searches == 4


def test_policy_that_was_restored_before_the_last_look_is_the_same_policy(watched, tools, policy):
    def away_and_back():
        watched.replace(policy=policy.without("reader", "serialization"))
        watched.replace(policy=load_policy(load_corpus()))

    tools.during_search = away_and_back

    assert len(watched.search("reader", JSON)["results"]) == 1
    assert tools.searches == 1


def test_replacement_after_the_last_look_comes_after_the_reply(corpus, policy, clock):
    def issuing():
        gate.replace(policy=policy.without("reader", "serialization"))
        return "1" * 32

    with closing(Gate(corpus, policy, clock=clock, new_id=issuing)) as gate:
        handle = only_handle(gate)

        assert handle["policy_id"] == policy.policy_id
        assert refusal_of(gate.read, "reader", handle) == "collection_denied"


def test_revoked_grant_refuses_a_read_at_once(gate, policy):
    handle = only_handle(gate)

    gate.replace(policy=policy.without("reader", "serialization"))

    assert refusal_of(gate.read, "reader", handle) == "collection_denied"


def test_restored_policy_makes_an_unexpired_handle_good_again(gate, policy):
    handle = only_handle(gate)
    gate.replace(policy=policy.without("reader", "serialization"))
    refusal_of(gate.read, "reader", handle)

    gate.replace(policy=load_policy(gate.in_force.corpus))

    assert gate.read("reader", handle)["source_id"] == "json-text"


def test_another_corpus_refuses_a_read_and_the_old_one_restored_allows_it(gate, corpus):
    handle = only_handle(gate)

    gate.replace(corpus=corpus_of([*corpus.documents, MORE]))
    assert refusal_of(gate.read, "reader", handle) == "handle_binding_mismatch"

    gate.replace(corpus=load_corpus())
    assert gate.read("reader", handle)["source_id"] == "json-text"


def test_source_taken_out_of_the_collection_is_denied(gate):
    handle = only_handle(gate, "editor", FILES)
    gate.replace(policy=regrouped(gate, files=["path-write"]))
    rebound = {**handle, "policy_id": gate.in_force.policy.policy_id}
    del rebound["issued_id"]
    (stale,) = gate.handles.issue("editor", [rebound])  # good in every way, but for what the collection holds now

    assert refusal_of(gate.read, "editor", handle) == "handle_binding_mismatch"
    assert refusal_of(gate.read, "editor", stale) == "collection_denied"


@pytest.mark.parametrize("version", ["3.12", "3.9"])
@pytest.mark.parametrize("ranking", BUILDERS)
def test_collection_of_another_policy_is_searched_as_if_the_first_had_never_been(corpus, policy, ranking, version):
    asked = {**FILES, "version": version, "k": 9}
    with closing(Gate(corpus, policy, ranking=ranking)) as gate:
        for sources in (["path-write"], ["path-read", "path-write"], ["json-text"], ["path-write"]):
            gate.replace(policy=regrouped(gate, files=sources))
            with closing(Gate(corpus, gate.in_force.policy, ranking=ranking)) as fresh:
                assert found(gate, asked) == found(fresh, asked)


def found(gate, asked):
    return [(row["passage_id"], row["native_score"]) for row in gate.search("editor", asked)["results"]]


def revoke(gate, _):
    gate.replace(policy=gate.in_force.policy.without("reader", "serialization"))


def widen(gate, _):
    gate.replace(policy=gate.in_force.policy.with_grant("reader", "files"))


def grow(gate, _):
    gate.replace(corpus=corpus_of([*gate.in_force.corpus.documents, MORE]))


@pytest.mark.parametrize(
    ("during", "code"),
    [
        (revoke, "collection_denied"),
        (widen, "handle_binding_mismatch"),
        (grow, "handle_binding_mismatch"),
        (lambda _, clock: clock.advance(60), "unissued_or_expired_handle"),
        (lambda gate, _: gate.handles.clear(), "unissued_or_expired_handle"),
    ],
    ids=["revoked", "another policy", "another corpus", "expired", "gone"],
)
def test_what_happens_while_the_text_is_fetched_refuses_the_read(watched, tools, clock, during, code):
    handle = only_handle(watched)
    tools.during_read = lambda: during(watched, clock)

    assert refusal_of(watched.read, "reader", handle) == code
    assert tools.reads == 1


def test_refusals_of_a_read_come_in_their_order(gate, policy):
    handle = only_handle(gate, "editor", FILES)
    worst = {**handle, "rank": 9, "collection": "nowhere", "issued_id": "0" * 32}  # wrong in every way

    assert refusal_of(gate.read, "nobody", [worst]) == "invalid_handle"
    assert refusal_of(gate.read, "nobody", worst) == "unauthenticated"
    assert refusal_of(gate.read, "editor", worst) == "collection_denied"
    assert refusal_of(gate.read, "editor", {**worst, "collection": "files"}) == "unissued_or_expired_handle"
    assert refusal_of(gate.read, "editor", {**handle, "rank": 9}) == "handle_binding_mismatch"
    gate.replace(policy=policy.without("editor", "files"))
    assert refusal_of(gate.read, "editor", {**handle, "rank": 9}) == "collection_denied"


@pytest.mark.parametrize("handle", [None, 3, "handle", [], [{}], True])
def test_handle_that_is_no_object_is_invalid(gate, handle):
    assert refusal_of(gate.read, "reader", handle) == "invalid_handle"


@pytest.mark.parametrize("kind", [HostileDict, OrderedDict, MappingProxyType, lambda handle: {**handle, 3: 4}])
def test_mapping_that_no_json_gives_is_an_invalid_handle(gate, kind):
    assert refusal_of(gate.read, "reader", kind(only_handle(gate))) == "invalid_handle"


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("collection", "collection_denied"),
        ("issued_id", "unissued_or_expired_handle"),
        ("principal", "handle_binding_mismatch"),
        ("rank", "handle_binding_mismatch"),
    ],
)
def test_value_of_a_callers_own_type_is_refused_and_none_of_its_code_runs(gate, name, code):
    handle = only_handle(gate)

    for strange in (HostileText("other"), HostileDict(), [HostileList()], Disguised()):
        assert refusal_of(gate.read, "reader", {**handle, name: strange}) == code


def test_name_of_a_callers_own_type_is_not_looked_up_though_it_reads_the_same(gate):
    handle = only_handle(gate)

    for name, code in [("collection", "collection_denied"), ("issued_id", "unissued_or_expired_handle")]:
        assert refusal_of(gate.read, "reader", {**handle, name: HostileText(handle[name])}) == code


def test_every_field_of_a_handle_is_bound(gate):
    handle = only_handle(gate)

    for name in handle:
        without = {key: value for key, value in handle.items() if key != name}
        wanted = {"collection": "collection_denied", "issued_id": "unissued_or_expired_handle"}
        assert refusal_of(gate.read, "reader", without) == wanted.get(name, "handle_binding_mismatch")
        if name not in wanted:
            for other in (None, "x", 7, [handle[name]]):
                assert refusal_of(gate.read, "reader", {**handle, name: other}) == "handle_binding_mismatch"


def test_foreign_handle_with_the_thiefs_own_name_on_it_is_refused(gate):
    theirs = only_handle(gate, "editor", JSON)

    assert refusal_of(gate.read, "reader", {**theirs, "principal": "reader"}) == "handle_binding_mismatch"


def test_stale_handle_with_the_new_ids_on_it_is_refused(gate, policy):
    handle = only_handle(gate)
    wider = policy.with_grant("reader", "files")
    gate.replace(policy=wider)

    assert refusal_of(gate.read, "reader", {**handle, "policy_id": wider.policy_id}) == "handle_binding_mismatch"


def test_handle_of_another_process_is_unknown(gate, corpus, policy):
    with closing(Gate(corpus, policy)) as other:
        assert refusal_of(gate.read, "reader", only_handle(other)) == "unissued_or_expired_handle"


def test_reader_changing_a_handle_while_it_is_read_gains_nothing(watched, tools):
    handle = only_handle(watched)
    tools.during_read = lambda: handle.update(rank=9)

    assert refusal_of(watched.read, "reader", handle) == "handle_binding_mismatch"


def test_gate_apart_obeys_what_is_in_force_now(gate, policy, corpus):
    apart = gate.apart()
    handle = only_handle(apart)

    apart.replace(policy=policy.without("reader", "serialization"))
    assert refusal_of(apart.read, "reader", handle) == "collection_denied"
    assert refusal_of(apart.search, "reader", JSON) == "collection_denied"

    gate.replace(policy=policy)
    assert apart.read("reader", handle)["source_id"] == "json-text"
    gate.replace(corpus=corpus_of([*corpus.documents, MORE]))
    assert refusal_of(apart.read, "reader", handle) == "handle_binding_mismatch"


def test_handles_of_a_gate_apart_are_good_there_alone_and_die_as_all_do(gate, clock):
    apart, other = gate.apart(), gate.apart()
    theirs, mine = only_handle(apart), only_handle(gate)

    assert [refusal_of(each.read, "reader", theirs) for each in (gate, other)] == ["unissued_or_expired_handle"] * 2
    assert refusal_of(apart.read, "reader", mine) == "unissued_or_expired_handle"
    assert refusal_of(apart.read, "editor", theirs) == "handle_binding_mismatch"
    clock.advance(59)
    assert apart.read("reader", theirs)["source_id"] == "json-text"
    clock.advance(1)
    assert refusal_of(apart.read, "reader", theirs) == "unissued_or_expired_handle"


def test_gate_apart_that_is_closed_leaves_the_gate_open(gate):
    apart = gate.apart()
    theirs, mine = only_handle(apart), only_handle(gate)

    apart.close()

    assert refusal_of(apart.read, "reader", theirs) == "unissued_or_expired_handle"
    assert gate.read("reader", mine)["source_id"] == "json-text"


def test_misfit_of_policy_and_corpus_is_refused_and_changes_nothing(gate, corpus):
    before = gate.in_force

    with pytest.raises(ConfigError, match=r"invalid_collection: collections\.files"):
        gate.replace(corpus=corpus_of(corpus.documents[:1]))

    assert gate.in_force is before
    with pytest.raises(ConfigError, match="invalid_collection"):
        Gate(corpus_of(corpus.documents[:1]), before.policy)


def cut_anew(corpus):
    """The same documents, each of several lines with a second passage of its first one."""
    return corpus_of(
        document(each.source_id, each.version, each.url, each.text, sorted({(1, 1), (1, each.text.count("\n") + 1)}))
        for each in corpus.documents
    )


@pytest.fixture
def lines():
    """A corpus whose documents have two lines each, so that it can be cut in more than one way."""
    names = ("json-text", "path-read", "path-write")
    return corpus_of(document(name, "3.12", f"https://{name}.invalid/", "a json file\na json") for name in names)


@pytest.mark.parametrize("ranking", BUILDERS)
def test_snapshot_that_is_only_cut_anew_is_refused_and_all_goes_on(lines, policy, ranking):
    with closing(Gate(lines, policy, ranking=ranking)) as gate:
        before, handle = gate.in_force, only_handle(gate)

        with pytest.raises(ConfigError, match=r"snapshot_cut_anew: corpus: .*; give it a gate and a cache of its own"):
            gate.replace(corpus=cut_anew(lines))

        assert cut_anew(lines).corpus_id == lines.corpus_id
        assert gate.in_force is before
        assert gate.read("reader", handle)["passage_id"] == only_handle(gate)["passage_id"]


def test_snapshot_that_was_in_force_once_is_put_back_as_it_was_and_not_cut_anew(lines, policy):
    grown = corpus_of([*lines.documents, MORE])
    with closing(Gate(lines, policy)) as gate:
        handle = only_handle(gate)
        gate.replace(corpus=grown)

        for again in (lines, grown):
            with pytest.raises(ConfigError, match="snapshot_cut_anew"):
                gate.replace(corpus=cut_anew(again))

        gate.replace(corpus=corpus_of(reversed(lines.documents)))
        assert gate.read("reader", handle)["source_id"] == "json-text"


def test_snapshot_that_was_turned_down_may_come_cut_anew(lines, policy):
    less = corpus_of(lines.documents[:1])
    alone = {"collections": {"serialization": ["json-text"]}, "grants": {"reader": ["serialization"], "editor": []}}
    with closing(Gate(lines, policy)) as gate:
        with pytest.raises(ConfigError, match="invalid_collection"):
            gate.replace(corpus=less)

        gate.replace(policy=load_policy(less, {**read_fixture("policy.json"), **alone}), corpus=cut_anew(less))

        assert len(gate.search("reader", JSON)["results"]) == 2


@pytest.mark.parametrize("ranking", BUILDERS)
def test_two_gates_on_two_cuts_may_share_their_tools(lines, policy, ranking):
    tools, cuts = LiteralTools(ranking), [lines, cut_anew(lines)]
    one, other = (Gate(cut, policy, tool_factory=tools) for cut in cuts)
    with closing(tools), closing(one), closing(other):
        for _ in range(2):
            found = [gate.search("reader", {**JSON, "k": 9})["results"] for gate in (one, other)]

        assert [len(handles) for handles in found] == [1, 2]
        assert {other.read("reader", handle)["end_line"] for handle in found[1]} == {1, 2}


def test_policy_and_corpus_that_need_each_other_are_replaced_as_one(gate, corpus):
    grown = corpus_of([*corpus.documents, MORE])
    data = read_fixture("policy.json")
    data["collections"]["files"].append("more")

    gate.replace(policy=load_policy(grown, data), corpus=grown)

    found = gate.search("editor", {**FILES, "k": 10})["results"]
    assert "more" in [row["source_id"] for row in found]


class SlowlyRead:
    """Collections during whose checking something else happens."""

    def __init__(self, collections, meanwhile):
        self.collections, self.meanwhile = collections, meanwhile

    def items(self):
        self.meanwhile()
        return self.collections.items()


def test_two_replacements_at_once_come_one_after_the_other_and_neither_is_lost(gate, corpus, policy):
    grown = corpus_of([*corpus.documents, MORE])
    other = threading.Thread(target=lambda: gate.replace(corpus=grown))

    def meanwhile():
        if other.ident is None:  # at the first check only
            other.start()
            other.join(timeout=0.2)  # the other waits its turn, or would be done by now

    slow = Policy(policy.collections, policy.grants, policy.principals_by_digest)
    object.__setattr__(slow, "collections", SlowlyRead(policy.collections, meanwhile))
    gate.replace(policy=slow)
    other.join()

    assert gate.in_force.policy is slow
    assert gate.in_force.corpus is grown


def test_closed_gate_gives_its_index_back(corpus, policy, monkeypatch):
    built = []
    monkeypatch.setitem(BUILDERS, "shared", lambda corpus: built.append(build_index(corpus)) or built[-1])
    gate = Gate(corpus, policy)
    gate.search("reader", JSON)

    gate.close()

    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        built[0].ranked("json")


def test_closed_gate_holds_no_handle(gate):
    handle = only_handle(gate)

    gate.close()

    assert refusal_of(gate.read, "reader", handle) == "unissued_or_expired_handle"


@pytest.mark.parametrize("limits", [{"max_handles": 9}, {"handle_ttl": 0}])
def test_limits_of_the_handles_are_checked_when_the_gate_is_made(corpus, policy, limits):
    with pytest.raises(ConfigError, match="invalid_handle_limits"):
        Gate(corpus, policy, **limits)


def test_replacement_that_finished_before_the_last_look_always_wins(watched, tools, policy):
    searching, replaced, outcome = threading.Event(), threading.Event(), []

    def pause():
        searching.set()
        replaced.wait(timeout=30)

    tools.during_search = pause
    thread = threading.Thread(target=lambda: outcome.append(refusal_of(watched.search, "reader", JSON)))
    thread.start()
    searching.wait(timeout=30)
    watched.replace(policy=policy.without("reader", "serialization"))
    replaced.set()
    thread.join()

    assert outcome == ["collection_denied"]


class Reign:
    """One policy and the ticks between which it may have been in force."""

    def __init__(self, policy, since):
        self.policy, self.since, self.until = policy, since, float("inf")


class Answer(NamedTuple):
    """What one operation gave: the policy id of its reply or the code of its refusal, and when it began and ended."""

    first: int
    last: int
    principal: str
    outcome: str
    bound: str | None  # the policy id of the handle that was read; None for a search

    def fits(self, policy):
        """Whether this policy alone would have answered so."""
        if self.outcome == "handle_binding_mismatch":
            return self.bound is not None and policy.policy_id != self.bound
        granted = "serialization" in policy.grants[self.principal]
        return not granted if self.outcome == "collection_denied" else granted and policy.policy_id == self.outcome


class Caller:
    """Searches, then reads what was found, one operation for each turn that it is given; notes every answer."""

    def __init__(self, gate, principal, ticks, operations):
        self.gate, self.principal, self.ticks, self.operations = gate, principal, ticks, operations
        self.turns, self.done, self.answers = threading.Semaphore(0), threading.Semaphore(0), []

    def operate(self):
        handle = None
        for _ in range(self.operations):
            self.turns.acquire(timeout=60)
            first, bound, reply = next(self.ticks), handle and handle["policy_id"], {}
            try:
                reply = self.gate.read(self.principal, handle) if handle else self.gate.search(self.principal, JSON)
                outcome = reply["policy_id"]
            except Refusal as refused:
                outcome = refused.code
            self.answers.append(Answer(first, next(self.ticks), self.principal, outcome, bound))
            handle = reply["results"][0] if "results" in reply else None
            self.done.release()

    def finish_two(self):
        assert all([self.done.acquire(timeout=60) for _ in range(2)]), f"{self.principal} gave no answer for a minute"


@pytest.mark.usefixtures("eager_switching")
def test_every_reply_of_four_threads_is_what_a_policy_in_force_meanwhile_gives(corpus, policy):
    policies = [policy.without("reader", "serialization"), policy, policy.with_grant("reader", "files")] * 20
    ticks, reigns = iter(range(10**9)), [Reign(policy, -1)]
    with closing(Gate(corpus, policy, max_handles=1024)) as gate:
        callers = [Caller(gate, name, ticks, 4 * len(policies)) for name in ("reader", "reader", "editor", "reader")]
        for caller in callers:
            threading.Thread(target=caller.operate, daemon=True).start()
        for other in policies:
            for caller in callers:
                caller.turns.release(4)
            for caller in callers:
                caller.finish_two()  # each began and ended under one policy
            reigns.append(Reign(other, next(ticks)))
            gate.replace(policy=other)  # the other two of each are done before, during or after it
            reigns[-2].until = next(ticks)
            for caller in callers:
                caller.finish_two()

    for answer in [answer for caller in callers for answer in caller.answers]:
        meanwhile = [each.policy for each in reigns if each.since <= answer.last and each.until >= answer.first]
        assert any(answer.fits(each) for each in meanwhile), (answer, meanwhile)
    assert [len(caller.answers) for caller in callers] == [240] * 4
