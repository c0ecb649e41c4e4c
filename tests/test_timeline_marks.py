"""Each mark has a shape of its own, and the legend names those in use and no others."""

import itertools

from labkit.bounded_map import Reason
from labkit.widgets import timeline_marks as marks
from labkit.widgets.drawn_text import width
from labkit.widgets.timeline import Timeline


def named(play, rule="dead when deadline <= now"):
    return [entry.words for line in marks.legend(play.lives, start=24, end=700, rule=rule) for entry in line]


def ends(entry):
    return entry.x + marks.AFTER_MARK + width(entry.words, size=12)


def test_no_two_marks_look_the_same():
    drawn = [
        mark(0, 0) for mark in (marks.put, marks.deadline, marks.promoted, marks.peeked, marks.missed, marks.refused)
    ]
    drawn += [marks.left(letter)(0, 0) for letter in marks.LETTERS.values()]

    assert all(one != other for one, other in itertools.combinations(drawn, 2))


def test_every_reason_but_expiry_has_a_letter_of_its_own():
    assert set(marks.LETTERS) == set(Reason) - {Reason.EXPIRED}
    assert len(set(marks.LETTERS.values())) == len(marks.LETTERS)


def test_legend_names_what_is_in_use():
    play = Timeline(ttl=10, max_entries=1)
    assert named(play) == []

    play.put("a")
    assert named(play) == ["put: alive from here", "deadline: dead from here"]

    play.get("a")
    play.peek("a")
    play.revoke("a")
    play.get("a")
    play.advance(1)
    play.put("b")
    play.grant("a")
    play.get("a")

    assert named(play, rule="")[1:] == [
        "deadline",
        "get: a hit, promoted",
        "peek: seen, not promoted",
        "a miss",
        "grant revoked: stored, out of reach",
        "refused before the map is asked",
        "evicted for entries",
    ]


def test_legend_breaks_into_lines_that_fit():
    play = Timeline(ttl=10)
    play.put("a")
    play.get("a")

    lines = marks.legend(play.lives, start=24, end=400, rule="")

    assert [line[0].x for line in lines] == [24] * len(lines)
    assert len(lines) == 2
    assert all(ends(entry) <= 400 for line in lines for entry in line)


def test_mark_of_the_legend_stands_clear_of_the_words_before_it():
    play = Timeline(ttl=10)
    play.put("a")
    play.get("a")

    (line,) = marks.legend(play.lives, start=24, end=9000, rule="")

    assert all(ends(one) + marks.BAR <= other.x for one, other in itertools.pairwise(line))


def test_revocation_is_slanted_strokes_from_start_to_end():
    assert marks.revoked(10, 28, 50).count("M") == 3
    assert all(f"M{x} 57l6 -14" in marks.revoked(10, 28, 50) for x in (10, 16, 22))
    assert marks.revoked(10, 11, 50).count("M") == 1  # however short
