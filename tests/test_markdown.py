"""What the rules ask of prose."""

from labkit.nbtools.markdown import anchors, bold, links, list_items, named_links, paragraphs, parts, words


def test_words_leave_out_code_tags_and_fences():
    assert words("One `two` <b>three</b>\n\n```\nfour\n```\n\n    five").split() == ["One", "three"]


def test_text_inside_folded_html_is_prose():
    source = "<details><summary>Answer</summary>\nIt is [here](a.md).\n</details>"

    assert "It is" in words(source)
    assert links(source) == ["a.md"]


def test_links_and_pictures_outside_code_are_found():
    assert links("[a](b.md#c) ![d](e.svg) `[f](g)`\n\n- [h](i)\n\n| x |\n| --- |\n| [j](k) |") == [
        "b.md#c",
        "e.svg",
        "i",
        "k",
    ]


def test_link_is_read_with_what_it_says_first():
    source = "[01 First](a.md) and [`b`](b.md), [![two bars](c.svg)](c.md)"

    assert list(named_links(source)) == [("01 First", "a.md"), ("", "b.md"), ("", "c.md")]


def test_bold_is_read_with_the_code_in_it():
    assert bold("A **term**, **`name` too** and *not this*.\n\n- **item**: text") == ["term", "name too", "item"]


def test_paragraphs_leave_lists_and_tables_out():
    assert paragraphs("# Title\n\nOne\ntwo.\n\n- item\n\n| a |\n| --- |\n\nThree.") == ["One\ntwo.", "Three."]


def test_list_items_are_read_on_one_line():
    assert list_items("- one\n  and more\n- **two**\n\n1. three") == ["one and more", "**two**", "three"]


def test_an_anchor_is_spelled_as_jupyterlab_or_as_github_does():
    assert anchors("What is `k`?") == {"What-is-`k`?", "what-is-k"}


def test_parts_are_found_by_kind():
    assert [token.content for token in parts("![two bars](a.svg)", "image")] == ["two bars"]
