"""A clock that moves forward only, and only when told."""

import math

import pytest

from labkit.clock import FakeClock


def test_clock_stands_still_until_it_is_moved():
    clock = FakeClock(5.0)

    assert [clock(), clock()] == [5.0, 5.0]


def test_advance_adds_and_move_to_sets():
    clock = FakeClock()
    clock.advance(1.5)
    assert clock() == 1.5

    clock.move_to(4.0)

    assert clock() == 4.0


def test_moving_by_nothing_is_allowed():
    clock = FakeClock(2.0)

    clock.advance(0)
    clock.move_to(2.0)

    assert clock() == 2.0


@pytest.mark.parametrize("seconds", [-0.001, -math.inf, math.inf, math.nan])
def test_going_back_is_refused_and_says_where_it_stands(seconds):
    clock = FakeClock(3.0)

    with pytest.raises(ValueError, match=r"forward only: it is 3 s"):
        clock.advance(seconds)

    assert clock() == 3.0


def test_repr_shows_the_time_and_no_address():
    assert repr(FakeClock(1.25)) == "FakeClock(1.25 s)"
