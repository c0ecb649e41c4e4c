"""The timeline can be played, dragged both ways and read without any front end."""

import math
import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest

from labkit.errors import ConfigError
from labkit.widgets.timeline import Timeline

JUST_BEFORE_10 = math.nextafter(10, 0)


@pytest.fixture
def play():
    """A timeline with room for two, at 0 s."""
    return Timeline(ttl=10, max_entries=2)


def fates(play):
    return {life.name: life.fate for life in play.lives}


def test_script_of_puts_gets_and_time_is_told_as_a_table(play):
    play.put("a")
    play.advance(3)
    play.get("a")
    play.put("b")
    play.advance(1)
    play.put("c")

    assert repr(play) == (
        "now | key | born | promoted | deadline | deadline <= now | fate\n"
        "----+-----+------+----------+----------+-----------------+-------------------------\n"
        "4   | a   | 0    | 3        | 10       | never asked     | evicted for entries at 4\n"
        "4   | b   | 3    | never    | 13       | False           | alive\n"
        "4   | c   | 4    | never    | 14       | False           | alive"
    )


def test_answers_are_words(play):
    assert (play.put("a"), play.get("a"), play.peek("a"), play.get("z")) == ("kept", "hit", "seen", "miss")


def test_entry_promoted_by_get_outlives_one_that_was_only_peeked_at(play):
    play.put("a")
    play.put("b")
    play.get("a")
    play.peek("b")

    play.put("c")

    assert fates(play) == {"a": "alive", "b": "evicted for entries at 0", "c": "alive"}


def test_bytes_are_a_bound_and_a_column_when_asked_for():
    play = Timeline(ttl=10, max_bytes=100)
    play.put("a", size=60)
    play.put("b", size=50)

    assert play.put("b", size=101) == "too large"
    assert fates(play) == {"a": "evicted for bytes at 0", "b": "replaced at 0"}
    assert play.table.columns[:3] == ("now", "key", "bytes")
    assert play.words.startswith("Now is 0. put b: too large, not kept (at 0).")


def test_clear_is_a_fate_too(play):
    play.put("a")

    play.clear()

    assert fates(play) == {"a": "cleared at 0"}


def test_look_up_after_revocation_is_refused_before_the_map_is_asked(play):
    play.put("a")
    play.put("b")
    play.revoke("a")

    assert play.get("a") == play.peek("a") == play.put("a") == "refused"
    assert fates(play) == {"a": "alive, grant revoked", "b": "alive"}  # stored all the same, and not replaced

    play.put("c")

    assert fates(play)["a"] == "evicted for entries at 0"  # the refused look-ups promoted nothing


def test_grant_given_again_reaches_an_entry_that_still_lives_and_moved_no_deadline(play):
    play.put("a")
    play.revoke("a")
    play.look_at(JUST_BEFORE_10)
    play.grant("a")

    assert play.get("a") == "hit"

    play.look_at(10)

    assert play.get("a") == "miss"


def test_revoking_twice_is_revoking_once(play):
    play.put("a")
    for _ in range(2):
        play.revoke("a")
    for _ in range(2):
        play.grant("a")

    assert play.get("a") == "hit"
    assert play.revoked == frozenset()
    assert [event.act for event in play.events] == ["put", "revoked", "granted", "hit"]


def test_looking_back_shows_what_was_and_time_has_not_gone_back(play):
    play.put("a")
    play.look_at(12)

    play.look_at(5)

    assert (play.now, play.latest, play.looks_back) == (5, 12, True)
    assert fates(play) == {"a": "alive"}


@pytest.mark.parametrize("act", ["put", "get", "peek", "revoke", "grant", "clear"])
def test_nothing_happens_in_the_past(play, act):
    play.put("a")
    play.advance(2)
    play.look_at(1)

    with pytest.raises(ValueError, match=f"{act} happens at the latest time only, 2 s; you look back at 1 s"):
        getattr(play, act)(*[] if act == "clear" else ["a"])

    assert len(play.events) == 1


def test_looking_at_an_instant_that_has_not_come_lets_time_pass(play):
    play.look_at(7)

    assert (play.now, play.latest, play.looks_back) == (7, 7, False)


@pytest.mark.parametrize("seconds", [-1, math.inf, math.nan])
def test_instant_that_never_comes_is_refused(play, seconds):
    with pytest.raises(ValueError, match="wanted a number of seconds"):
        play.look_at(seconds)

    assert play.now == 0


def test_advance_goes_on_from_the_latest_time_and_looks_there(play):
    play.advance(4)
    play.look_at(1)

    play.advance(2)

    assert (play.now, play.latest) == (6, 6)


def test_step_goes_both_ways_and_stops_at_0():
    play = Timeline(ttl=10, step=2)
    play.step()
    play.step()
    play.step_back()
    assert (play.now, play.latest) == (2, 4)

    for _ in range(3):
        play.step_back()

    assert play.now == 0


def test_jumps_reach_a_deadline_the_instant_before_it_and_the_way_back(play):
    play.put("a")
    play.advance(1)
    seen = []

    for jump in (play.jump_just_before, play.jump_just_before, play.jump, play.jump_back):
        jump()
        seen.append((play.now, fates(play)["a"]))

    assert seen == [
        (JUST_BEFORE_10, "alive"),
        (JUST_BEFORE_10, "alive"),
        (10, "expired at 10"),
        (JUST_BEFORE_10, "alive"),
    ]


def test_jump_goes_by_the_deadlines_of_the_living(play):
    for key in "abc":  # c evicts a
        play.put(key)
        play.advance(1)

    play.jump()

    assert play.now == 11


def test_jump_back_passes_over_the_deadline_of_an_entry_that_had_left_before():
    play = Timeline(ttl=10, max_entries=1)
    play.put("a")
    play.advance(2)
    play.put("b")
    play.look_at(11)
    assert play.previous_stop is None

    play.look_at(13)
    play.jump_back()

    assert play.now == 12


@pytest.mark.parametrize("jump", ["jump", "jump_just_before", "jump_back"])
def test_jump_with_nowhere_to_go_says_so(play, jump):
    with pytest.raises(ValueError, match=r"nobody is alive|no entry died"):
        getattr(play, jump)()


def test_tick_goes_no_further_than_a_deadline_and_play_is_over_when_nobody_lives():
    play = Timeline(ttl=2.5)
    play.put("a")
    seen = []

    while not play.is_over:
        play.tick()
        seen.append(play.now)

    assert seen == [1, 2, 2.5]


def test_tick_goes_on_where_no_deadline_is_ahead(play):
    play.tick()

    assert play.now == 1


def test_play_is_not_over_while_one_looks_back(play):
    play.advance(5)
    play.look_at(1)

    assert not play.is_over


def test_picture_of_an_instant_is_the_same_however_one_came_there(play):
    play.put("a")
    play.look_at(12)
    play.put("b")
    play.look_at(3)
    first = play.picture

    play.look_at(12)
    play.jump_back()
    play.look_at(3)

    assert play.picture == first


def test_words_and_table_say_the_same_as_the_picture(play):
    play.put("a")
    play.look_at(JUST_BEFORE_10)

    texts = [node.text for node in ElementTree.fromstring(play.picture).iter() if node.text]

    assert (
        texts[0]
        == play.words
        == "Now is just before 10. put a: kept until 10 (at 0). a: alive, 10 <= just before 10: False."
    )
    assert {"a", "alive", "10 <= just before 10: False", "now: just before 10"} <= set(texts)
    assert play.table.rows == (("just before 10", "a", "0", "never", "10", "False", "alive"),)


def test_without_a_rule_nothing_tells_it():
    play = Timeline(ttl=10, rule="")
    play.put("a")
    play.look_at(10)

    assert "<=" not in repr(play) + play.words
    assert "&lt;=" not in play.picture
    assert not re.search("dead (from|when)", play.picture)
    assert fates(play) == {"a": "expired at 10"}


def test_static_forms_are_text_html_and_picture(play):
    play.put("<b>")

    shown = play._repr_mimebundle_()

    assert sorted(shown) == ["image/svg+xml", "text/html", "text/plain"]
    assert shown["text/plain"] == repr(play)
    assert "<b>" not in shown["text/html"] + shown["image/svg+xml"]


def test_watcher_is_told_of_every_change(play):
    seen = []
    play.watch(lambda: seen.append((play.now, len(play.events))))

    play.put("a")
    play.advance(1)
    play.look_at(0)
    play.look_at(1)
    play.clear()

    assert seen == [(0, 1), (1, 1), (0, 1), (1, 1), (1, 2)]


@pytest.mark.parametrize("wrong", [{"ttl": 0}, {"ttl": True}, {"ttl": 1, "max_entries": 0}, {"ttl": 1, "step": -1}])
def test_bounds_that_make_no_sense_are_refused(wrong):
    with pytest.raises(ConfigError):
        Timeline(**wrong)


def test_front_end_is_not_imported_by_lessons_nor_by_the_timeline_itself():
    code = "import sys, labkit.lesson, labkit.widgets.timeline; print({'anywidget', 'ipywidgets'} & set(sys.modules))"

    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    assert said == "set()\n"
