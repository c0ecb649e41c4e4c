"""What is sent, byte for byte, and what must come back: `fixtures/admission_cases.json`."""

from dataclasses import dataclass
from typing import Any

from labkit.fixtures import read_fixture


@dataclass(frozen=True, kw_only=True)
class Case:
    """One row; its outcome is a refusal's code, or `1 handles`. With `fault`, the lab's source of ids fails.

    `body` is text, or pieces and how often each is repeated.
    """

    name: str
    outcome: str
    method: str = "POST"
    path: str = "/search"
    authorization: tuple[str, ...] = ("Bearer synthetic-reader-token",)
    content_type: tuple[str, ...] = ("application/json",)
    body: str | tuple[tuple[str, int], ...] = ""
    encoding: str = "utf-8"
    fault: bool = False

    @property
    def headers(self) -> list[tuple[bytes, bytes]]:
        """Each header as a pair, in bytes: some cases send one twice, and one is not ASCII."""
        named = {b"Authorization": self.authorization, b"Content-Type": self.content_type}
        return [(name, value.encode()) for name, values in named.items() for value in values]

    @property
    def content(self) -> bytes:
        """The body's bytes."""
        pieces = ((self.body, 1),) if isinstance(self.body, str) else self.body
        return "".join(text * times for text, times in pieces).encode(self.encoding)


def admission_cases() -> tuple[Case, ...]:
    """Every row, in the file's order."""
    rows = read_fixture("admission_cases.json")["cases"]
    return tuple(Case(**{name: _frozen(value) for name, value in row.items()}) for row in rows)


def no_ids() -> str:
    """A source of ids that fails, with a text that nobody may see."""
    raise RuntimeError("private: no id left")


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
