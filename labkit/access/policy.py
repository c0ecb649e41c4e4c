"""Who may use what: collections, grants and token digests, checked once and frozen; the id is that of the content."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from labkit.canonical import canonical_hash
from labkit.corpus import Corpus
from labkit.errors import ConfigError, NotCanonical
from labkit.fixtures import read_fixture

SCHEMA_VERSION = 1
KEYS = frozenset({"schema_version", "description", "collections", "tokens", "grants"})


@dataclass(frozen=True)
class Policy:
    """One set of rules; to change it is to make another. The same content has the same `policy_id`, at any time."""

    collections: Mapping[str, frozenset[str]]
    grants: Mapping[str, frozenset[str]]
    principals_by_digest: Mapping[bytes, str] = field(repr=False)
    policy_id: str = field(init=False)

    def __post_init__(self) -> None:
        for name in ("collections", "grants", "principals_by_digest"):  # whoever handed them in may still change them
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
        lists = {name: _sorted(getattr(self, name)) for name in ("collections", "grants")}
        # No token and no description: the id leaves the server, and order within a list means nothing.
        object.__setattr__(self, "policy_id", canonical_hash({"schema_version": SCHEMA_VERSION, **lists}))

    def principal_with(self, token: str) -> str | None:
        """The principal a token stands for; looked up by digest, so that no token is ever compared or kept."""
        return self.principals_by_digest.get(_digest(token))

    def with_grant(self, principal: str, collection: str) -> "Policy":
        """The same policy, with this grant; ConfigError for a principal or a collection that it does not have."""
        if collection not in self.collections:  # a grant on nothing would be found out by whoever asks for it
            raise _no_collection(principal, collection)
        return self._granting(principal, self._grants_of(principal) | {collection})

    def without(self, principal: str, collection: str) -> "Policy":
        """The same policy, with this grant revoked; ConfigError for a principal that it does not have."""
        return self._granting(principal, self._grants_of(principal) - {collection})

    def __repr__(self) -> str:
        return f"Policy({len(self.collections)} collections, {len(self.grants)} principals, {self.policy_id[:8]})"

    def _grants_of(self, principal: str) -> frozenset[str]:
        if principal not in self.grants:
            raise ConfigError("invalid_grants", f"grants.{principal}: no principal of this policy")
        return self.grants[principal]

    def _granting(self, principal: str, granted: frozenset[str]) -> "Policy":
        return replace(self, grants={**self.grants, principal: granted})


def load_policy(corpus: Corpus, data: Any = None) -> Policy:
    """The policy in `data` (the fixture's when None), for this corpus; ConfigError names the entry that is wrong."""
    told = read_fixture("policy.json") if data is None else data
    _check_shape(told)
    collections = {name: _source_ids(name, listed) for name, listed in told["collections"].items()}
    grants = {name: _granted(name, listed, collections) for name, listed in told["grants"].items()}
    tokens = enumerate(told["tokens"].items(), start=1)
    principals = {_token_digest(place, token, name, grants): name for place, (token, name) in tokens}
    try:
        policy = Policy(collections, grants, principals)
    except NotCanonical as error:
        raise ConfigError("invalid_policy", error.rule) from None
    check_sources(policy, corpus)
    return policy


def check_sources(policy: Policy, corpus: Corpus) -> None:
    """ConfigError when a collection names a source that this corpus lacks; to be asked again for another corpus."""
    for name, sources in policy.collections.items():
        if missing := sorted(sources - corpus.sources):
            raise ConfigError("invalid_collection", f"collections.{name}: the corpus has no source {missing[0]}")


def _check_shape(told: Any) -> None:
    if type(told) is not dict or told.keys() != KEYS:
        amiss = sorted(map(str, told.keys() ^ KEYS)) if type(told) is dict else ["the policy"]
        raise ConfigError("invalid_policy", f"{amiss[0]}: wanted exactly the keys {', '.join(sorted(KEYS))}")
    if type(told["schema_version"]) is not int or told["schema_version"] != SCHEMA_VERSION:
        raise ConfigError("invalid_policy", f"schema_version: wanted {SCHEMA_VERSION}")
    if type(told["description"]) is not str or "synthetic" not in told["description"].lower():
        raise ConfigError("invalid_policy", "description: wanted text that says the policy is synthetic")
    for name in ("collections", "grants", "tokens"):
        if type(told[name]) is not dict:
            raise ConfigError("invalid_policy", f"{name}: wanted an object")
        if not told[name]:
            raise ConfigError("empty_policy", f"{name}: wanted one entry or more")


def _source_ids(name: Any, listed: Any) -> frozenset[str]:
    wrong = f"collections.{name}: wanted a name, and a list of different source ids, not empty"
    if not _is_name(name) or type(listed) is not list or not listed:
        raise ConfigError("invalid_collection", wrong)
    if not all(type(source) is str for source in listed) or len(set(listed)) < len(listed):
        raise ConfigError("invalid_collection", wrong)
    return frozenset(listed)


def _granted(principal: Any, listed: Any, collections: Mapping[str, Any]) -> frozenset[str]:
    if not _is_name(principal) or type(listed) is not list:
        raise ConfigError("invalid_grants", f"grants.{principal}: wanted a principal, and a list")
    for collection in listed:
        if type(collection) is not str or collection not in collections:
            raise _no_collection(principal, collection)
    return frozenset(listed)


def _no_collection(principal: str, collection: Any) -> ConfigError:
    return ConfigError("invalid_grants", f"grants.{principal}: {collection!r} is no collection of this policy")


def _token_digest(place: int, token: Any, principal: Any, grants: Mapping[str, Any]) -> bytes:
    # By its place: a token stands in no message.
    if not _is_name(token):
        raise ConfigError("invalid_tokens", f"tokens, entry {place}: wanted a token, not empty")
    if type(principal) is not str or principal not in grants:
        raise ConfigError("invalid_tokens", f"tokens, entry {place}: its principal has no entry in grants")
    return _digest(token)


def _is_name(value: Any) -> bool:
    return type(value) is str and value != ""


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode(errors="surrogatepass")).digest()  # text of any kind is looked up, and not found


def _sorted(named: Mapping[str, frozenset[str]]) -> dict[str, list[str]]:
    return {name: sorted(members) for name, members in named.items()}
