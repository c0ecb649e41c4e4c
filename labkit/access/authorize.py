"""Who is asking, and may they: one Authorization header gives a principal, a grant gives the sources.

Taught in 04_authorize.
"""

import re
from collections.abc import Sequence
from typing import Any

from labkit.access.policy import Policy
from labkit.errors import Refusal

BEARER = re.compile(r"(?i:bearer) ([!-+\--~]+)", re.ASCII)
"""The scheme in any case, one space, a token of visible ASCII without a comma: two headers joined by one are two."""


def principal_of(policy: Policy, headers: Sequence[str]) -> str:
    """The principal behind all the Authorization headers of a request; Refusal `unauthenticated` unless there is one.

    One header, `Bearer`, one space, a token that the policy knows. Which of these failed is not told.
    """
    token = BEARER.fullmatch(headers[0]) if len(headers) == 1 else None
    principal = policy.principal_with(token[1]) if token else None
    if principal is None:
        raise Refusal("unauthenticated")
    return principal


def authorize(policy: Policy, principal: str, collection: Any) -> frozenset[str]:
    """The sources that the principal's grant on the collection opens; Refusal when there is no such grant.

    A collection that does not exist is refused as one that is not granted: the answer tells nobody which it was.
    """
    granted = policy.grants.get(principal) if type(principal) is str else None
    if granted is None:
        raise Refusal("unauthenticated", "the policy in force does not know this principal")
    if type(collection) is not str or collection not in granted:  # a subclass may equal another name each time
        raise Refusal("collection_denied")
    return policy.collections[collection]
