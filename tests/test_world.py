"""What one section does, no other section sees."""

import pytest

from labkit.lesson.world import fresh_world


def test_two_worlds_share_no_clock():
    one, other = fresh_world(), fresh_world()

    one.clock.advance(5)

    assert (one.clock(), other.clock()) == (5.0, 0.0)


def test_world_begins_with_the_fixture_corpus():
    assert fresh_world().corpus.sources == {"json-text", "path-read", "path-write"}


def test_each_principal_may_see_only_sources_that_the_corpus_has():
    world = fresh_world()

    assert all(sources <= world.corpus.sources for sources in world.may_see.values())


def test_nobody_can_widen_a_grant_for_the_next_world():
    with pytest.raises(TypeError):
        fresh_world().may_see["reader"] = frozenset({"path-read"})
