"""The picture is well-formed, deterministic and to scale, and no fact in it is told by colour alone."""

import re
from xml.etree import ElementTree

import pytest

from labkit.widgets.timeline import Timeline
from labkit.widgets.timeline_picture import AXIS, WIDTH, horizon

SVG = "{http://www.w3.org/2000/svg}"


def drawn(play):
    return ElementTree.fromstring(play.picture)


def row(play, name):
    (found,) = [group for group in drawn(play).iter(f"{SVG}g") if group.get("data-life") == name]
    return found


def dots(play, name):
    """Where the row's filled and open dots stand, in seconds."""
    left, right = AXIS
    seconds = [
        (float(dot.attrib["cx"]) - left) / (right - left) * play.horizon for dot in row(play, name).iter(f"{SVG}circle")
    ]
    return [round(value, 1) for value in seconds]


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
    assert dots(play, "a") == [0, 10]
    assert dots(play, "b") == [3, 13]


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
        texts = list(row(play, name).iter(f"{SVG}text"))
        return texts[1].text, texts[0].get("font-weight"), next(row(play, name).iter(f"{SVG}rect")).get("fill")

    assert look("a")[:2] == ("expired at 10", "normal")
    assert look("b")[:2] == ("alive", "bold")
    assert look("a")[2] != look("b")[2]


def test_now_stands_a_hair_before_the_deadline_at_the_instant_before(play):
    def line():
        (at,) = re.findall(r"M([\d.]+) 26V", play.picture)
        return float(at)

    play.jump_just_before()
    before = line()
    play.jump()

    assert before < line()


def test_looking_back_is_said_in_the_picture(play):
    assert "time has run to" not in play.picture

    play.look_at(1)

    assert "time has run to 4" in play.picture


def test_nothing_is_drawn_outside_the_card(play):
    play.revoke("b")
    play.get("b")
    play.jump_just_before()
    play.look_at(play.horizon)  # the words beside the line of now have least room there

    numbers = [float(node.attrib[name]) for node in drawn(play).iter() for name in ("x", "cx") if name in node.attrib]

    assert all(0 <= number <= WIDTH for number in numbers)


def test_long_key_is_cut_in_the_picture_only():
    play = Timeline(ttl=10)
    play.put("a-very-long-key")

    assert "a-very-…" in play.picture
    assert "a-very-long-key" in play.words


def test_pictures_of_equal_timelines_are_equal_to_the_byte():
    def fresh():
        play = Timeline(ttl=10)
        play.put("a")
        play.advance(1)
        return play.picture

    assert fresh() == fresh()
