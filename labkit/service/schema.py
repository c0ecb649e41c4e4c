"""What a body may say, as strict models; the OpenAPI document is made from them.

`search_request` holds the same rules for callers without HTTP; a test compares the two, value by value.
"""

from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from labkit.canonical import is_object
from labkit.errors import REFUSALS, Refusal
from labkit.search_request import MAX_K, MAX_VERSION

ONCE = "A key that is said twice is refused, at any depth."


class Body(BaseModel):
    """An object with these fields and no other, each of exactly its type."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class SearchBody(Body):
    """What `/search` and `/retrieve` take."""

    query: Annotated[str, Field(pattern="^[A-Za-z0-9]{1,64}$", description=f"One word; case does not matter. {ONCE}")]
    collection: Annotated[str, Field(min_length=1, max_length=64, description="A collection that you may search.")]
    version: Annotated[
        str, Field(pattern="^[0-9]+[.][0-9]+$", max_length=MAX_VERSION, description="The exact version.")
    ] = "3.12"
    k: Annotated[int, Field(ge=1, le=MAX_K, description="Passages at most. 5.0 is no integer here, nor is true.")] = 2


class ReadBody(Body):
    """What `/read` takes."""

    handle: Annotated[Any, Field(description=f"A handle as `/search` gave it, every field as it was. {ONCE}")]


class ErrorCode(BaseModel):
    """Why, as a code."""

    model_config = ConfigDict(extra="forbid")
    code: Annotated[str, Field(json_schema_extra={"enum": sorted(REFUSALS)})]


class ErrorReply(BaseModel):
    """Every reply that is no answer."""

    model_config = ConfigDict(extra="forbid")
    error: ErrorCode


class SearchReply(BaseModel):
    """Handles for what was found, best first, and what they are bound to."""

    model_config = ConfigDict(extra="forbid")
    principal: str
    policy_id: str
    corpus_id: str
    request: dict[str, Any]
    search_request_id: str
    results: list[dict[str, Any]]


class ReadReply(BaseModel):
    """The handle's fields, the passage's text and url, and a hash over all of it."""

    model_config = ConfigDict(extra="allow")
    issued_id: str
    text: str
    url: str
    result_sha256: str


class RetrieveReply(BaseModel):
    """A result, the key it is asked under, and what the cache had to do with it."""

    model_config = ConfigDict(extra="forbid")
    cache: Literal["hit", "miss", "bypass"]
    cache_key: str
    result: dict[str, Any]


B = TypeVar("B", bound=Body)


def checked(model: type[B], value: Any) -> B:
    """The value as the model, defaults filled; Refusal for any other field, type or range, and nothing is coerced."""
    if not is_object(value):
        raise Refusal("invalid_request")
    try:
        return model.model_validate(value)
    except ValidationError:
        raise Refusal("invalid_request") from None  # what pydantic says repeats the input
