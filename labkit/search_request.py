"""What a caller may ask: one word, in one collection, in one version, at most k passages; and no other field."""

import re
from dataclasses import asdict, dataclass
from typing import Any

from labkit.canonical import is_object
from labkit.errors import Refusal
from labkit.search import term_of

VERSION = re.compile("[0-9]+[.][0-9]+")
MAX_VERSION = 32
"""Characters of a version: a reply repeats it, and every key and hash holds it."""
MAX_K = 10


@dataclass(frozen=True)
class SearchRequest:
    """A request of the accepted form, its word in lower case."""

    query: str
    collection: str
    version: str = "3.12"
    k: int = 2
    ranking: str = "shared"

    def as_json(self) -> dict[str, Any]:
        """The four fields, defaults filled; the ranking contract is a fifth unless it is `shared`."""
        named = asdict(self)
        if self.ranking == "shared":  # replies and hashes as published, which know of no other
            del named["ranking"]
        return named


def search_request(asked: Any, ranking: str = "shared") -> SearchRequest:
    """The request with its defaults filled and its word in lower case; Refusal for any other field or form.

    The ranking contract is the lab's choice: no caller can name it.
    """
    if not is_object(asked):
        raise Refusal("invalid_request", "a request is an object")
    if unknown := asked.keys() - {"query", "collection", "version", "k"}:
        raise Refusal("invalid_request", f"query, collection, version and k, and no other field ({len(unknown)} more)")
    query = term_of(asked.get("query"))
    collection, version, k = asked.get("collection"), asked.get("version", "3.12"), asked.get("k", 2)
    if not (type(collection) is str and 1 <= len(collection) <= 64):
        raise Refusal("invalid_request", "a collection is text of 1 to 64 characters")
    if not (type(version) is str and len(version) <= MAX_VERSION and VERSION.fullmatch(version)):
        raise Refusal("invalid_request", f"a version is digits, a dot, digits: {MAX_VERSION} characters at most")
    if type(k) is not int or not 1 <= k <= MAX_K:  # True is an int to Python, and 2.0 equals 2
        raise Refusal("invalid_request", f"k is a whole number from 1 to {MAX_K}")
    return SearchRequest(query, collection, version, k, ranking)
