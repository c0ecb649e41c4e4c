"""One header gives a principal, a grant gives the sources; everything else is refused, and refused alike."""

from typing import Any

import pytest
from hostile import HostileText
from hypothesis import given
from hypothesis import strategies as st

from labkit.access.authorize import authorize, principal_of
from labkit.access.policy import load_policy
from labkit.corpus import load_corpus
from labkit.errors import Refusal

READER, EDITOR = "Bearer synthetic-reader-token", "Bearer synthetic-editor-token"
POLICY = load_policy(load_corpus())


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER", "bEaReR"])
def test_scheme_may_be_in_any_case(policy, scheme):
    assert principal_of(policy, [f"{scheme} synthetic-editor-token"]) == "editor"


REFUSED = {
    "no header": [],
    "an empty header": [""],
    "two headers": [READER, EDITOR],
    "the same header twice": [READER, READER],
    "two joined by a comma": [f"{READER}, {EDITOR}"],
    "two joined by a comma alone": [f"{READER},{EDITOR}"],
    "a comma at the end": [f"{READER},"],
    "no scheme": ["synthetic-reader-token"],
    "no token": ["Bearer "],
    "the scheme alone": ["Bearer"],
    "another scheme": ["Basic synthetic-reader-token"],
    "a longer scheme": ["BearerX synthetic-reader-token"],
    "two spaces": ["Bearer  synthetic-reader-token"],
    "a tab": ["Bearer\tsynthetic-reader-token"],
    "a space before": [f" {READER}"],
    "a space behind": [f"{READER} "],
    "a line end behind": [f"{READER}\n"],
    "a second word": [f"{READER} more"],
    "an unknown token": ["Bearer synthetic-unknown-token"],
    "a token in another case": ["Bearer Synthetic-Reader-Token"],
    "half a token": ["Bearer synthetic-reader"],
    "the principal's name": ["Bearer reader"],
    "a token that is not ASCII": ["Bearer synthetic-reader-tok\u00e9n"],
    "a lone surrogate": ["Bearer \ud800"],
    "a NUL": [f"{READER}\0"],
}


@pytest.mark.parametrize("headers", REFUSED.values(), ids=REFUSED)
def test_anything_but_one_bearer_header_with_a_known_token_is_unauthenticated(policy, headers):
    with pytest.raises(Refusal) as refused:
        principal_of(policy, headers)

    assert (refused.value.code, refused.value.rule) == ("unauthenticated", Refusal("unauthenticated").rule)


def test_token_that_no_header_can_carry_is_refused_though_the_policy_has_it():
    data = {
        "schema_version": 1,
        "description": "synthetic",
        "collections": {"serialization": ["json-text"]},
        "grants": {"reader": ["serialization"]},
        "tokens": {"tok\u00e9n": "reader", "a,b": "reader"},
    }
    lax = load_policy(load_corpus(), data)

    for token in ("tok\u00e9n", "a,b"):
        assert lax.principal_with(token) == "reader"
        with pytest.raises(Refusal, match="unauthenticated"):
            principal_of(lax, [f"Bearer {token}"])


@given(st.lists(st.text(), max_size=3))
def test_no_text_at_all_makes_a_principal_or_an_error_of_another_kind(headers):
    with pytest.raises(Refusal, match="unauthenticated"):
        principal_of(POLICY, headers)


def test_refusal_shows_no_token(policy):
    with pytest.raises(Refusal) as refused:
        principal_of(policy, ["Bearer secret-token"])

    assert "secret" not in f"{refused.value!r} {refused.value.__cause__!r} {refused.value.__context__!r}"


def test_grant_opens_the_sources_of_its_collection(policy):
    assert authorize(policy, "reader", "serialization") == {"json-text"}
    assert authorize(policy, "editor", "files") == {"path-read", "path-write"}


@pytest.mark.parametrize("collection", ["files", "nowhere", "", "Serialization", "serialization ", None, 3, [], {}])
def test_without_a_grant_on_the_collection_it_is_denied(policy, collection):
    with pytest.raises(Refusal, match="collection_denied"):
        authorize(policy, "reader", collection)


class Turncoat(str):
    """Text of a caller's own type: the first of its two names when it is looked for, the second ever after."""

    def __init__(self, both):
        self.names = both.split()

    def __hash__(self):
        return hash(self.names[0])

    def __eq__(self, other):  # pyrefly: ignore[missing-override-decorator]
        return (self.names.pop(0) if len(self.names) > 1 else self.names[0]) == other


def test_text_of_a_callers_own_type_is_no_collection_and_no_principal(policy):
    for collection in (Turncoat("serialization files"), HostileText("serialization")):
        with pytest.raises(Refusal, match="collection_denied"):
            authorize(policy, "reader", collection)
    principals: list[Any] = [Turncoat("reader editor"), HostileText("reader"), ["reader"]]
    for principal in principals:
        with pytest.raises(Refusal, match="unauthenticated"):
            authorize(policy, principal, "serialization")


def test_collection_that_does_not_exist_is_refused_in_the_same_words_as_one_not_granted(policy):
    said = []
    for collection in ("files", "nowhere"):
        with pytest.raises(Refusal) as refused:
            authorize(policy, "reader", collection)
        said.append((refused.value.code, refused.value.rule, str(refused.value)))

    assert said[0] == said[1]


@pytest.mark.parametrize("principal", ["nobody", "", "Reader", "synthetic-reader-token"])
def test_principal_that_the_policy_does_not_know_is_unauthenticated(policy, principal):
    with pytest.raises(Refusal, match="unauthenticated"):
        authorize(policy, principal, "serialization")


def test_revoked_grant_is_denied_and_the_others_stay(policy):
    revoked = policy.without("editor", "files")

    assert authorize(revoked, "editor", "serialization") == {"json-text"}
    with pytest.raises(Refusal, match="collection_denied"):
        authorize(revoked, "editor", "files")
