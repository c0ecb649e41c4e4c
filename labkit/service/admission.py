"""What has to be settled before anything runs: who asks, in which type, how much, in strict JSON, of which form.

Read `admitted` from top to bottom: its order is the order of the rules. Taught in 11_admission.
"""

import re
from collections.abc import Sequence
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.types import Receive

from labkit.access.authorize import principal_of
from labkit.access.gate import Gate
from labkit.canonical import canonical_bytes
from labkit.errors import Refusal
from labkit.fixtures import strict_json
from labkit.service.schema import Body, checked

MAX_BODY = 16 * 1024
"""Bytes of a body, chunked or not."""
MAX_DIGITS = 19
"""Digits of an integer: what 64 bits can hold."""

PARAMETER = r"""charset=(?:utf-8|"utf-8")|(?!charset=)[\w.+-]+=(?:[\w.+-]+|"[^"\\]*")"""
JSON_TYPE = re.compile(rf"application/json(?:[ \t]*;[ \t]*(?:{PARAMETER}))*[ \t]*", re.IGNORECASE | re.ASCII)

B = TypeVar("B", bound=Body)


async def admitted(request: Request, gate: Gate, model: type[B]) -> B:
    """The body of a request that may go on to the gate; Refusal for the first rule that it breaks.

    Ask `who` again after it: how long a body takes is up to its sender, and the policy may be another by then.
    """
    who(request, gate)  # before the body: somebody unknown learns nothing else, and has nothing parsed
    expect_json_type(request.headers.getlist("content-type"))
    expect_length(request.headers.get("content-length", ""))
    content = await read_body(request.receive)
    return checked(model, strict_object(content))


def who(request: Request, gate: Gate) -> str:
    """The principal behind the request's Authorization header, by the policy in force; Refusal `unauthenticated`."""
    return principal_of(gate.in_force.policy, request.headers.getlist("authorization"))


def expect_json_type(headers: Sequence[str]) -> None:
    """Refusal unless there is one Content-Type, `application/json`, whose charset is absent or UTF-8."""
    if len(headers) != 1 or not JSON_TYPE.fullmatch(headers[0]):
        raise Refusal("unsupported_media_type")


def expect_length(declared: str) -> None:
    """Refusal for a Content-Length over `MAX_BODY`: such a body is not asked for."""
    if declared.isdecimal() and float(declared) > MAX_BODY:  # a float, since an int of 5,000 digits is an error
        raise Refusal("body_too_large")


async def read_body(receive: Receive) -> bytes:
    """The whole body, read chunk by chunk; Refusal at the first that crosses `MAX_BODY`, and one byte over is kept.

    From a caller that hung up comes no whole body: that is `invalid_request`, and nobody hears it.
    """
    kept = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise Refusal("invalid_request")
        kept += message.get("body", b"")[: MAX_BODY + 1 - len(kept)]
        if len(kept) > MAX_BODY:
            raise Refusal("body_too_large")
        if not message.get("more_body", False):
            return bytes(kept)


def strict_object(content: bytes) -> dict[str, Any]:
    """The one object that the bytes say; Refusal `invalid_request` for all else, in one and the same words.

    UTF-8 without a BOM; each key once at every depth; finite numbers, integers of at most `MAX_DIGITS` digits; and a
    value that has a canonical form: at most 64 levels, no lone surrogate.
    """
    try:
        value = strict_json(content.decode(), parse_int=_short)  # bytes would be let in as UTF-16, too
        canonical_bytes(value)
    except (ValueError, RecursionError):
        raise Refusal("invalid_request") from None
    if not isinstance(value, dict):
        raise Refusal("invalid_request")
    return value


def _short(digits: str) -> int:
    if len(digits.removeprefix("-")) > MAX_DIGITS:
        raise ValueError("an integer of too many digits")
    return int(digits)
