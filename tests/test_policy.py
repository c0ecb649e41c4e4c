"""Grants, collections and tokens, checked once; the id is the content's."""

import pytest
from hostile import HostileDict, HostileList, HostileText

from labkit.access.policy import Policy, check_sources, load_policy
from labkit.canonical import canonical_hash
from labkit.corpus import corpus_of
from labkit.errors import ConfigError
from labkit.fixtures import read_fixture

TOKENS = ["synthetic-reader-token", "synthetic-editor-token"]


def told(**changes):
    """The fixture with some of its entries replaced."""
    return {**read_fixture("policy.json"), **changes}


def test_fixture_holds_the_grants_of_the_spec(policy):
    assert policy.collections == {"serialization": {"json-text"}, "files": {"path-read", "path-write"}}
    assert policy.grants == {"reader": {"serialization"}, "editor": {"serialization", "files"}}
    assert [policy.principal_with(token) for token in TOKENS] == ["reader", "editor"]


def test_fixture_says_that_it_is_synthetic_and_so_does_each_token():
    fixture = read_fixture("policy.json")

    assert "synthetic" in fixture["description"]
    assert all("synthetic" in token for token in fixture["tokens"])


def test_policy_id_is_the_hash_of_schema_version_collections_and_grants_sorted(policy):
    assert policy.policy_id == canonical_hash(
        {
            "schema_version": 1,
            "collections": {"serialization": ["json-text"], "files": ["path-read", "path-write"]},
            "grants": {"reader": ["serialization"], "editor": ["files", "serialization"]},
        }
    )


def test_policy_id_is_made_once_with_the_policy(policy):
    assert policy.policy_id is policy.policy_id


@pytest.mark.parametrize(
    "same",
    [
        {"description": "another synthetic text"},
        {"tokens": {"synthetic-other-token": "reader"}},
        {"grants": {"editor": ["files", "serialization"], "reader": ["serialization"]}},
        {"collections": {"files": ["path-write", "path-read"], "serialization": ["json-text"]}},
    ],
    ids=["description", "tokens", "order of grants", "order of collections"],
)
def test_policy_id_shows_no_token_no_description_and_no_order(corpus, policy, same):
    assert load_policy(corpus, told(**same)).policy_id == policy.policy_id


def test_policy_id_moves_with_a_grant_and_comes_back_with_it(policy):
    revoked = policy.without("editor", "files")

    assert revoked.policy_id != policy.policy_id
    assert revoked.grants["editor"] == {"serialization"}
    assert revoked.with_grant("editor", "files").policy_id == policy.policy_id


def test_changing_a_grant_makes_another_policy_and_leaves_this_one(policy):
    before = dict(policy.grants)

    policy.without("reader", "serialization")

    assert policy.grants == before
    with pytest.raises(TypeError):
        policy.grants["reader"] = frozenset({"files"})


def test_policy_made_by_hand_is_frozen_too():
    grants = {"reader": frozenset({"serialization"})}
    policy = Policy({"serialization": frozenset({"json-text"})}, grants, {})

    grants["reader"] = frozenset()

    assert policy.grants["reader"] == {"serialization"}


@pytest.mark.parametrize(
    ("principal", "collection"), [("reader", "nowhere"), ("nobody", "files"), ("reader", ""), ("nobody", "nowhere")]
)
def test_grant_for_nobody_or_on_nothing_cannot_be_given(policy, principal, collection):
    with pytest.raises(ConfigError, match=f"^invalid_grants: grants.{principal}: "):
        policy.with_grant(principal, collection)


def test_grant_of_nobody_cannot_be_revoked_and_one_that_is_not_there_may_be(policy):
    with pytest.raises(ConfigError, match=r"^invalid_grants: grants\.nobody: "):
        policy.without("nobody", "files")

    assert policy.without("reader", "nowhere").policy_id == policy.policy_id


def test_revoking_keeps_the_principal_known_and_its_token_good(policy):
    revoked = policy.without("reader", "serialization")

    assert revoked.grants["reader"] == frozenset()
    assert revoked.principal_with("synthetic-reader-token") == "reader"


def test_no_token_is_kept_or_shown(policy):
    shown = f"{policy!r} {vars(policy)!r}"

    assert not any(token in shown for token in TOKENS)


@pytest.mark.parametrize("token", ["", "Synthetic-Reader-Token", "synthetic-reader-token ", "\ud800", "reader"])
def test_any_other_text_is_no_token(policy, token):
    assert policy.principal_with(token) is None


def test_grants_of_a_principal_may_be_empty(corpus):
    policy = load_policy(corpus, told(grants={"reader": [], "editor": ["files"]}))

    assert policy.grants["reader"] == frozenset()


ONE = {"serialization": ["json-text"]}
WRONG = [
    ([], "invalid_policy", "exactly the keys"),
    ({}, "invalid_policy", "exactly the keys"),
    (HostileDict(told()), "invalid_policy", "exactly the keys"),
    *((told(**{name: HostileDict(told()[name])}), "invalid_policy", name) for name in ("collections", "tokens")),
    (told(collections={**ONE, "files": HostileList(["path-read"])}), "invalid_collection", r"collections\.files: "),
    (told(collections={**ONE, "files": [HostileText("path-read")]}), "invalid_collection", r"collections\.files: "),
    (told(grants={"reader": HostileList(), "editor": []}), "invalid_grants", r"grants\.reader: "),
    (told(tokens={"synthetic-a": HostileText("reader")}), "invalid_tokens", "entry 1: "),
    (told(note="more"), "invalid_policy", "note: .*exactly the keys"),
    ({name: value for name, value in told().items() if name != "tokens"}, "invalid_policy", "tokens: .*exactly"),
    *((told(schema_version=value), "invalid_policy", "schema_version") for value in (2, True, 1.0, "1", None)),
    (told(description="quite real"), "invalid_policy", "description"),
    (told(description=None), "invalid_policy", "description"),
    *((told(**{name: []}), "invalid_policy", name) for name in ("collections", "grants", "tokens")),
    *((told(**{name: {}}), "empty_policy", name) for name in ("collections", "grants", "tokens")),
    (told(collections={**ONE, "": ["json-text"]}), "invalid_collection", r"collections\.: "),
    (told(collections={**ONE, 3: ["json-text"]}), "invalid_collection", r"collections\.3: "),
    (told(collections={**ONE, "files": []}), "invalid_collection", r"collections\.files: "),
    (told(collections={**ONE, "files": "path-read"}), "invalid_collection", r"collections\.files: "),
    (told(collections={**ONE, "files": [["path-read"]]}), "invalid_collection", r"collections\.files: "),
    (told(collections={**ONE, "files": ["path-read", "path-read"]}), "invalid_collection", r"collections\.files: "),
    (told(collections={**ONE, "files": ["path-gone"]}), "invalid_collection", r"collections\.files: .* path-gone"),
    (told(grants={"reader": "serialization", "editor": []}), "invalid_grants", r"grants\.reader: "),
    (told(grants={"reader": None, "editor": []}), "invalid_grants", r"grants\.reader: "),
    (told(grants={"reader": ["nowhere"], "editor": []}), "invalid_grants", r"grants\.reader: 'nowhere'"),
    (told(grants={"reader": [["files"]], "editor": []}), "invalid_grants", r"grants\.reader: "),
    (told(grants={"reader": [], "editor": [], "": []}), "invalid_grants", r"grants\.: "),
    (told(tokens={"": "reader"}), "invalid_tokens", "entry 1: "),
    (told(tokens={"synthetic-a": "reader", "synthetic-b": "nobody"}), "invalid_tokens", "entry 2: "),
    (told(tokens={"synthetic-a": None}), "invalid_tokens", "entry 1: "),
    (told(grants={"reader": [], "editor": [], "\ud800": []}), "invalid_policy", "surrogate"),
]


@pytest.mark.parametrize(("data", "code", "named"), WRONG, ids=range(len(WRONG)))
def test_wrong_entry_is_refused_by_its_code_and_named(corpus, data, code, named):
    with pytest.raises(ConfigError, match=f"^{code}: .*{named}"):
        load_policy(corpus, data)


@pytest.mark.parametrize("data", [told(tokens={"secret-token": "nobody"}), told(tokens={"secret-token": 3})])
def test_token_stands_in_no_error(corpus, data):
    with pytest.raises(ConfigError) as refused:
        load_policy(corpus, data)

    assert "secret" not in f"{refused.value!r} {refused.value.__cause__!r}"


def test_collections_are_checked_again_for_another_corpus(corpus, policy):
    smaller = corpus_of(corpus.documents[:1])

    check_sources(policy, corpus)
    with pytest.raises(ConfigError, match=r"^invalid_collection: collections\.files: .* path-read"):
        check_sources(policy, smaller)


def test_policy_keeps_no_hold_on_the_data_it_was_made_from(corpus, policy):
    data = told()
    made = load_policy(corpus, data)

    data["grants"]["reader"].append("files")

    assert made.grants == policy.grants
