"""What one section does, no other section sees."""

from labkit.lesson.world import fresh_world

ASKED = {"query": "file", "collection": "files"}


def test_two_worlds_share_no_clock():
    one, other = fresh_world(), fresh_world()

    one.clock.advance(5)

    assert (one.clock(), other.clock()) == (5.0, 0.0)


def test_two_worlds_share_no_handle_and_give_out_the_same_ones():
    one, other = fresh_world(), fresh_world()

    issued, again = one.gate.search("editor", ASKED), other.gate.search("editor", ASKED)

    assert issued == again
    assert one.gate.handles is not other.gate.handles


def test_gate_stands_on_the_worlds_own_clock():
    world = fresh_world()
    handle = world.gate.search("editor", ASKED)["results"][0]
    world.clock.advance(60)

    assert world.gate.handles.issued(handle["issued_id"]) is None


def test_may_see_is_what_the_grants_open():
    assert fresh_world().may_see == {"reader": {"json-text"}, "editor": {"json-text", "path-read", "path-write"}}
