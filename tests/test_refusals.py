"""Each refusal has one status and a case that ends in it; its reply is a code and nothing else."""

import ast
import json
from pathlib import Path

import pytest

from labkit.access.access_cases import access_cases
from labkit.errors import REFUSALS, Refusal
from labkit.results.retrieve_cases import retrieve_cases
from labkit.service.admission_cases import admission_cases
from labkit.service.refusals import ROUTING, STATUS, documented, refused, reply

LABKIT = Path(__file__).parent.parent / "labkit"
BY_THE_GATE = {case.outcome for case in access_cases()}
BY_ADMISSION = {case.outcome for case in admission_cases()}
ONLY_BY_ADMISSION = {
    "not_found",
    "method_not_allowed",
    "unsupported_media_type",
    "body_too_large",
    "internal_error",
}


def raised():
    """Every code that some module of labkit raises, or answers with, by name."""
    for path in LABKIT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Name("Refusal" | "refused"), args=[ast.Constant(code), *_]):
                    yield code


def test_every_refusal_has_exactly_one_status():
    assert STATUS.keys() == REFUSALS.keys()


def test_every_refusal_has_a_refused_case_in_the_fixtures():
    assert REFUSALS.keys() - ONLY_BY_ADMISSION <= BY_THE_GATE
    assert ONLY_BY_ADMISSION <= BY_ADMISSION
    assert {case.outcome for case in retrieve_cases()} & REFUSALS.keys()


def test_every_code_in_the_tree_is_in_the_table_and_is_raised_somewhere():
    assert {*raised(), *ROUTING.values()} == STATUS.keys()


@pytest.mark.parametrize("code", STATUS)
def test_refused_reply_is_the_code_and_nothing_else(code):
    answer = refused(code)

    assert answer.status_code == STATUS[code]
    assert json.loads(bytes(answer.body)) == {"error": {"code": code}}
    assert len(answer.body) < 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["cache-control"] == "private, no-store"
    assert answer.headers.get("www-authenticate") == ("Bearer" if answer.status_code == 401 else None)


def test_code_without_a_status_cannot_be_answered():
    with pytest.raises(KeyError):
        refused("teapot")
    with pytest.raises(KeyError):
        Refusal("teapot")


def test_reply_keeps_its_bytes_and_is_kept_by_nobody():
    answer = reply(b'{"a":1}')

    assert (answer.status_code, answer.body) == (200, b'{"a":1}')
    assert answer.headers["cache-control"] == "private, no-store"


def test_document_has_every_status_with_its_codes():
    told = documented()

    assert {code for each in told.values() for code in each["description"].split(", ")} == STATUS.keys()
    assert set(told) == set(STATUS.values())
