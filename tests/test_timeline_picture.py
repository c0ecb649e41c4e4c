"""The picture is well-formed, deterministic and to scale, and no fact in it is told by colour alone."""

import math
import re
from xml.etree import ElementTree

import pytest

from labkit.widgets import timeline_marks as marks
from labkit.widgets.drawn_text import width
from labkit.widgets.timeline import Timeline
from labkit.widgets.timeline_picture import AXIS, NAMES, ROW, WIDTH, horizon

SVG = "{http://www.w3.org/2000/svg}"


def drawn(play):
    return ElementTree.fromstring(play.picture)


def row(play, name):
    (found,) = [group for group in drawn(play).iter(f"{SVG}g") if group.get("data-life") == name]
    return found


def x(play, seconds):
    """Where an instant stands, in pixels."""
    left, right = AXIS
    return round(left + (right - left) * seconds / play.horizon, 1)


def bar(play, name):
    return next(row(play, name).iter(f"{SVG}rect"))


def middle(play, name):
    """The height of the row's bar, in pixels."""
    return float(bar(play, name).attrib["y"]) + marks.BAR / 2


def markup(play, name):
    (found,) = re.findall(f'<g data-life="{re.escape(name)}">.*?</g>', play.picture)
    return found


def is_marked(play, name, mark, at):
    """Whether the row has this mark at the instant, on its bar or close to it."""
    y = middle(play, name)
    return any(mark(x(play, at), y + step / 2) in markup(play, name) for step in range(-36, 37))


def texts(play):
    return [node.text for node in drawn(play).iter(f"{SVG}text")]


@pytest.fixture
def play():
    """One entry put at 0 s and one at 3 s, at 4 s."""
    play = Timeline(ttl=10, max_entries=2)
    play.put("a")
    play.advance(3)
    play.put("b")
    play.advance(1)
    return play


def test_picture_has_a_role_and_a_title_that_says_what_it_shows(play):
    assert drawn(play).get("role") == "img"
    assert drawn(play)[0].tag == f"{SVG}title"
    assert drawn(play)[0].text == play.words


def test_life_is_drawn_from_its_put_to_its_deadline_to_scale(play):
    for name, born in (("a", 0), ("b", 3)):
        assert is_marked(play, name, marks.put, born)
        assert is_marked(play, name, marks.deadline, born + 10)
        assert float(bar(play, name).attrib["x"]) == x(play, born)
        assert float(bar(play, name).attrib["width"]) == pytest.approx(x(play, 4) - x(play, born))
        assert f"M{x(play, 4):g} {middle(play, name):g}H{x(play, born + 10):g}" in markup(play, name)  # what is to come
        assert f"M{x(play, born + 10):g} {middle(play, name) - 5:g}v10" in markup(play, name)


def do(play, act):
    """An act, on `a` when it names no key."""
    name, _, key = act.partition(" ")
    if name == "clear":
        play.clear()
    elif name == "put":
        play.put(key or "a", size=4)
    else:
        getattr(play, name)(key or "a")


ROOM_FOR_TWO, TEN_BYTES = {"max_entries": 2}, {"max_bytes": 10}


@pytest.mark.parametrize(
    ("bounds", "acts", "mark"),
    [
        ({}, ["get"], marks.promoted),
        ({}, ["peek"], marks.peeked),
        ({}, ["revoke", "get"], marks.refused),
        ({}, ["revoke", "peek"], marks.refused),
        ({}, ["revoke", "put"], marks.refused),
        (ROOM_FOR_TWO, ["put b", "put c"], marks.left("E")),
        (TEN_BYTES, ["put b", "put c"], marks.left("B")),
        ({}, ["put"], marks.left("R")),
        ({}, ["clear"], marks.left("C")),
    ],
)
@pytest.mark.parametrize("at", [3, 4.5])
def test_each_act_leaves_its_mark_at_its_instant_in_its_row(bounds, acts, mark, at):
    play = Timeline(ttl=10, **bounds)
    play.put("a", size=4)
    play.look_at(at)
    for act in acts:
        do(play, act)

    assert is_marked(play, "a", mark, at)

    play.look_at(at + 1)
    assert is_marked(play, "a", mark, at)

    play.look_at(at - 1)
    assert not is_marked(play, "a", mark, at)


def test_miss_is_marked_in_the_row_of_the_entry_that_is_no_more(play):
    play.look_at(11)
    play.get("a")

    assert is_marked(play, "a", marks.missed, 11)
    assert not is_marked(play, "b", marks.missed, 11)


def test_revocation_is_drawn_over_the_stretch_that_it_lasts(play):
    play.revoke("a")
    play.look_at(6)
    play.grant("a")
    play.look_at(9)
    play.revoke("a")
    play.look_at(12)

    y = middle(play, "a")

    for start, end in ((4, 6), (9, 10)):  # up to its death
        assert marks.revoked(x(play, start), x(play, end), y) in markup(play, "a")


def test_entry_that_left_early_shows_no_deadline_that_it_reached():
    play = Timeline(ttl=10, max_entries=1)
    play.put("a")
    play.look_at(3)
    play.put("b")
    play.look_at(5)

    assert not is_marked(play, "a", marks.deadline, 10)
    assert float(bar(play, "a").attrib["width"]) == pytest.approx(x(play, 3) - x(play, 0))


def test_legend_shows_the_marks_beside_their_words(play):
    play.get("a")

    for line in marks.legend(play.lives, start=24, end=WIDTH - 8, rule="rule"):
        for entry in line:
            (word,) = [node for node in drawn(play).iter(f"{SVG}text") if node.text == entry.words]
            assert entry.mark(entry.x, float(word.attrib["y"]) - 4) in play.picture


def test_axis_has_a_tick_and_a_number_at_each_round_second(play):
    foot = max(float(node.attrib["y"]) for node in drawn(play).iter(f"{SVG}text") if node.text == "seconds") - 18

    assert f"M{AXIS[0]} {foot:g}H{AXIS[1]}" in play.picture
    for seconds in range(0, 15, 2):
        (number,) = [node for node in drawn(play).iter(f"{SVG}text") if node.text == str(seconds)]
        assert float(number.attrib["x"]) == x(play, seconds)
        assert f"M{x(play, seconds):g} {foot:g}v5" in play.picture


def test_axis_leaves_out_numbers_that_would_run_into_each_other():
    play = Timeline(ttl=890_000)

    assert [words for words in texts(play) if words and words.isdigit()] == [
        "0",
        "200000",
        "400000",
        "600000",
        "800000",
    ]
    assert len(re.findall(r"v5\b", play.picture)) == 10


def test_card_of_nothing_says_so(play):
    assert "Nothing was put yet." in texts(Timeline(ttl=10))
    assert "Nothing was put yet." not in texts(play)
    assert "dead when deadline <= now" in texts(Timeline(ttl=10))


def test_rows_stand_below_each_other_and_make_room_for_what_is_told(play):
    play.look_at(5)
    rows = [(name, middle(play, name)) for name in "ab"]
    tight = rows[1][1] - rows[0][1]
    long = Timeline(ttl=1_234_567.891, max_entries=1)
    long.put("a")
    long.jump_just_before()
    long.put("b")

    assert tight == ROW
    assert middle(long, "b") - middle(long, "a") > tight - 2
    for group in drawn(long).iter(f"{SVG}g"):
        told = [node for node in group.iter(f"{SVG}text") if float(node.attrib["x"]) > AXIS[1]]
        assert len(told) == 4
        assert all(width(node.text or "", size=int(node.attrib["font-size"])) <= 200 for node in told)


def test_axis_is_the_same_at_every_instant(play):
    play.advance(20)
    play.put("c")  # its deadline is 34
    axes = set()

    for now in (0, 5, 24):
        play.look_at(now)
        axes.add(play.horizon)

    assert axes == {35}


@pytest.mark.parametrize(("last", "end"), [(0.3, 0.35), (1, 1.2), (10, 12), (13, 14), (35, 40), (3600, 4000)])
def test_axis_ends_at_a_round_number_past_everything(last, end):
    assert horizon([0, last]) == pytest.approx(end)


def test_living_and_dead_differ_in_words_weight_and_fill(play):
    play.look_at(10)

    def look(name):
        words = list(row(play, name).iter(f"{SVG}text"))
        return words[1].text, words[0].get("font-weight"), words[1].get("font-weight")

    assert look("a") == ("expired at 10", "normal", "normal")
    assert look("b") == ("alive", "bold", "bold")
    assert all(bar(play, "a").get(ink) != bar(play, "b").get(ink) for ink in ("fill", "stroke"))


def line_of_now(play):
    (at,) = re.findall(r"M([\d.]+) 26V", play.picture)
    return float(at)


def test_line_of_now_stands_at_now_and_a_hair_aside_at_the_instants_beside_a_deadline(play):
    assert line_of_now(play) == x(play, 4)

    play.jump_just_before()
    before = line_of_now(play)
    play.jump()
    at = line_of_now(play)
    play.look_at(math.nextafter(10, 11))

    assert before < at == x(play, 10) < line_of_now(play)
    assert "now: just after 10" in texts(play)


def test_looking_back_is_said_in_the_picture(play):
    assert "time has run to 4" not in texts(play)

    play.look_at(1)

    assert "time has run to 4" in texts(play)
    assert f"M{x(play, 4):g} 34V" in play.picture


@pytest.mark.parametrize(
    ("key", "first", "second"),
    [
        ("a", "a", "a (2)"),
        ("a-very-long-key", "a-ver…", "a-… (2)"),
        ("WWWWWWW", "WWW…", "W… (2)"),
    ],
)
def test_long_key_is_cut_in_the_picture_only_and_its_number_is_not(key, first, second):
    play = Timeline(ttl=10)
    for _ in range(2):
        play.put(key)

    names = [node.text for node in drawn(play).iter(f"{SVG}text") if float(node.attrib["x"]) == NAMES]
    assert names == [first, second]
    assert key in play.words


def test_pictures_of_equal_timelines_are_equal_to_the_byte():
    def fresh():
        play = Timeline(ttl=10)
        play.put("a")
        play.advance(1)
        return play.picture

    assert fresh() == fresh()
