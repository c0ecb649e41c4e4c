"""Numbers that prose writes as words."""

import re

import pytest

from labkit.nbtools.number_words import PHRASE, worth


@pytest.mark.parametrize(
    ("phrase", "number"),
    [
        ("two", 2),
        ("Nine", 9),
        ("TEN", 10),
        ("nineteen", 19),
        ("twenty", 20),
        ("ninety", 90),
        ("twenty-one", 21),
        ("sixty four", 64),
        ("hundred", 100),
        ("a hundred", 100),
        ("one hundred", 100),
        ("two hundred and six", 206),
        ("Three hundred twelve", 312),
        ("a thousand", 1_000),
        ("one thousand", 1_000),
        ("twelve thousand five hundred", 12_500),
        ("a hundred thousand", 100_000),
        ("two thousand and one", 2_001),
        ("three million two hundred thousand and eighty-four", 3_200_084),
    ],
)
def test_phrase_is_one_number(phrase, number):
    found = re.findall(PHRASE, f"It has {phrase} rows, it says", re.IGNORECASE)

    assert found == [phrase]
    assert worth(phrase) == number


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("two, three and four", ["two", "three", "four"]),
        ("two four", ["two", "four"]),
        ("a two-step check and eight-character names", ["two", "eight"]),
        ("one of two; one in a hundred", ["two", "a hundred"]),
        ("(five)", ["five"]),
    ],
)
def test_each_number_is_found(text, found):
    assert re.findall(PHRASE, text, re.IGNORECASE) == found


@pytest.mark.parametrize(
    "text",
    [
        "one, One of them, one-way, someone",
        "first, second, third, sixth, the twenty-first, a hundredth, thousandth",
        "both, half, twice, once, zero, none",
        "hundreds, thousands, millions, sevens, the tens",
        "often, weight, tone, canine, network, nineties, artwork, eighteenth",
    ],
)
def test_other_words_are_no_numbers(text):
    assert not re.findall(PHRASE, text, re.IGNORECASE)
