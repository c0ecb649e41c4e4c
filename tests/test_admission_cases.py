"""The rows of `fixtures/admission_cases.json` are read as the bytes they stand for; the apps' tests send them."""

import pytest

from labkit.service.admission_cases import Case, admission_cases, no_ids


def test_row_says_only_what_is_not_the_usual():
    case = Case(name="a", outcome="1 handles", body="{}")

    assert (case.method, case.path, case.content) == ("POST", "/search", b"{}")
    assert case.headers == [
        (b"Authorization", b"Bearer synthetic-reader-token"),
        (b"Content-Type", b"application/json"),
    ]


def test_pieces_of_a_body_are_repeated_and_joined():
    assert Case(name="a", outcome="b", body=(("[", 3), ("]", 2))).content == b"[[[]]"


def test_body_is_spelled_in_the_encoding_of_its_row():
    assert Case(name="a", outcome="b", body="é", encoding="utf-16-le").content == b"\xe9\x00"


def test_rows_are_read_in_the_order_of_the_file():
    cases = admission_cases()

    assert cases[0].name == "plain"
    assert len({case.name for case in cases}) == len(cases)


def test_source_of_ids_that_fails_has_a_text_of_its_own():
    with pytest.raises(RuntimeError, match="private"):
        no_ids()
