"""The view passes on what a learner does: without a front end, its module in a bare page, all of it in JupyterLab."""

import math
import random
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from lesson_page import PATIENCE, LessonPage, enter
from live_lab import live_lab
from playwright.sync_api import expect, sync_playwright

from labkit.widgets.timeline import Timeline
from labkit.widgets.timeline_picture import WIDTH
from labkit.widgets.timeline_view import TimelineView

expect.set_options(timeout=PATIENCE)

ROOT = Path(__file__).parent.parent
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]


def press(view, act, key="", size=0):
    """What the front end sends when a button is pressed."""
    view._handle_custom_msg({"act": act, "key": key, "size": size}, [])


@pytest.fixture
def play():
    """A timeline with room for two, one entry put at 0 s."""
    play = Timeline(ttl=10, max_entries=2)
    play.put("a")
    return play


class TestWithoutAFrontEnd:
    def test_buttons_act_on_the_timeline_and_the_page_shows_it(self, play):
        view = TimelineView(play)

        for act, key in [("step", ""), ("put", "b"), ("get", "a"), ("jump_just_before", ""), ("jump", "")]:
            press(view, act, key)

        assert [life.fate for life in play.lives] == ["expired at 10", "alive"]
        assert view.now == 10
        assert (view.page["picture"], view.page["words"]) == (play.picture, play.words)

    def test_dragging_looks_back_and_on(self, play):
        view = TimelineView(play)

        view.now = 12.25
        assert (play.latest, play.now) == (12.25, 12.25)

        view.now = 3
        assert (play.latest, play.now) == (12.25, 3)
        assert view.page["words"].startswith("Now is 3. You look back")

    def test_while_one_looks_back_the_page_says_why_nothing_can_be_done(self, play):
        view = TimelineView(play)
        assert view.page["back_note"] == ""

        press(view, "step")
        press(view, "start")

        assert view.page["back_note"] == "These happen at the latest time only, 1."

    def test_buttons_say_where_they_lead_and_are_empty_where_there_is_nowhere(self, play):
        view = TimelineView(play)
        assert view.page["buttons"] == {
            "jump_back": "",
            "step_back": "",
            "step": "Step 1 s",
            "jump_just_before": "Just before 10",
            "jump": "To 10",
            "latest": "",
        }

        press(view, "jump")
        press(view, "jump_back")

        assert view.page["buttons"]["latest"] == "To the latest time, 10"
        assert view.page["buttons"]["step_back"] == "Back 1 s"

    @pytest.mark.parametrize(
        ("message", "said"),
        [
            (("jump_back",), "no entry died before 0"),
            (("put", "b", -1), "bytes: wanted a whole number"),
            (("fly",), "KeyError: 'fly'"),
        ],
    )
    def test_exception_in_a_callback_is_shown_and_changes_nothing(self, play, message, said):
        view, before = TimelineView(play), play.picture

        press(view, *message)

        assert view.page["failed"]
        assert said in view.page["words"]
        assert view.page["picture"] == before

        press(view, "step")

        assert not view.page["failed"]

    def test_instant_that_never_comes_is_an_error_and_the_slider_goes_back(self, play):
        view = TimelineView(play)

        view.now = math.nan

        assert "wanted a number of seconds" in view.page["words"]
        assert view.now == 0

    def test_what_another_cell_does_is_shown_too(self, play):
        view = TimelineView(play)

        play.put("zz")
        play.advance(2)

        assert (view.now, view.page["words"]) == (2, play.words)
        assert view.page["keys"] == ["a", "b", "c", "d", "zz"]

    def test_recorded_forms_are_those_of_the_timeline_beside_the_live_view(self, play):
        shown, _ = TimelineView(play)._repr_mimebundle_()

        assert shown.pop("application/vnd.jupyter.widget-view+json")["model_id"]
        assert shown == play._repr_mimebundle_()


@pytest.fixture(scope="module")
def browser(chromium):
    """One headless Chromium for this file."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield browser
        browser.close()


MODEL = """
async ([source, css, state]) => {
  const style = document.head.appendChild(document.createElement("style"));
  style.textContent = css;
  const watchers = new Map();
  window.sent = [];
  window.model = {
    get: (name) => state[name],
    set: (name, value) => { state[name] = value; },
    save_changes: () => sent.push(state.now),
    send: (message) => sent.push(message),
    on: (name, watcher) => watchers.set(name, watcher),
    off: (name) => watchers.delete(name),
    arrive: (change) => { Object.assign(state, change); watchers.get("change:page")?.(); },
  };
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const module = await import(url);
  window.leave = module.default.render({ model, el: document.body });
}
"""


@pytest.fixture
def bare(browser):
    """Opens the module in an empty page on a model that only remembers what it is sent."""
    opened, errors = [], []

    def open_module(view):
        page = browser.new_page()
        page.on("pageerror", lambda error: errors.append(error.message))
        opened.append(page)
        page.clock.install(time=0)
        page.clock.pause_at(1)  # or it would go on by itself
        page.set_content("<!DOCTYPE html><html lang=en><title>Timeline</title><body></body></html>")
        page.evaluate(MODEL, [view._esm, view._css, {"now": view.now, "page": view.page}])
        return page

    yield open_module
    for page in opened:
        page.close()
    assert errors == []


def arrive(page, view):
    page.evaluate("change => model.arrive(change)", {"page": view.page})  # `now` comes a moment later, or is lost


READABLE = 10
"""Pixels that the smallest words are high, as a font size."""

AT_ITS_END = "box => box.scrollLeft > 0 && box.scrollLeft > box.scrollWidth - box.clientWidth - 2"

SMALLEST_WORDS = """
svg => {
    const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
    return scale * Math.min(...[...svg.querySelectorAll("text")].map(words => words.getAttribute("font-size")));
}
"""

FOCUSED = """
() => {
    const focused = document.activeElement;
    const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(focused);
    const [box, seen] = [focused.parentElement.closest(".labkit-scroll"), focused.getBoundingClientRect()];
    const edges = box?.getBoundingClientRect();
    return {
        what: focused.tagName,
        outline: `${outlineStyle} ${outlineWidth}`,
        offset: outlineOffset,
        isCut: Boolean(box) && (seen.top - 5 < edges.top || seen.right + 5 > edges.right || seen.left - 5 < edges.left),
    };
}
"""


class TestModule:
    def test_each_control_has_a_role_a_name_and_a_value(self, bare, play):
        page = bare(TimelineView(play))

        expect(page.locator("section")).to_match_aria_snapshot("""
            - region "Timeline of a cache on a fake clock":
              - group "Time":
                - button "Back to a deadline" [disabled]
                - button "Back a step" [disabled]
                - button "Play"
                - button "Step 1 s"
                - button "Just before 10"
                - button "To 10"
              - group "Slider and picture":
                - slider "Now, in seconds": "0"
                - img /Now is 0\\. put a/
              - group "At the latest time":
                - text: Key
                - combobox "Key":
                  - option "a" [selected]
                  - option "b"
                  - option "c"
                  - option "d"
                - button "Put"
                - button "Get"
                - button "Peek"
                - button "Revoke"
              - status: /Now is 0\\. put a/
        """)
        assert page.get_by_role("slider").get_attribute("aria-valuetext") == "0 seconds"

    def test_click_beside_the_buttons_does_nothing(self, bare, play):
        page = bare(TimelineView(play))

        page.locator(".labkit-picture").click()

        assert page.evaluate("sent") == []

    def test_press_sends_act_and_key(self, bare, play):
        page = bare(TimelineView(play))

        page.get_by_label("Key").select_option("c")
        page.get_by_role("button", name="Put").click()

        assert page.evaluate("sent") == [{"act": "put", "key": "c", "size": 10}]

    def test_way_to_the_latest_time_is_there_while_one_looks_back(self, bare, play):
        view = TimelineView(play)
        page = bare(view)
        ways = page.get_by_role("button", name="To the latest time")
        assert not ways.is_visible()

        press(view, "step")
        press(view, "start")
        arrive(page, view)

        assert ways.text_content() == "To the latest time, 1"
        assert ways.is_visible()

    def test_button_that_is_off_sends_nothing_and_still_answers(self, bare, play):
        view = TimelineView(play)
        press(view, "step")
        press(view, "start")
        page = bare(view)
        said = page.get_by_role("status").text_content()

        page.get_by_role("button", name="Put").press("Enter")

        assert page.evaluate("sent") == []
        assert page.get_by_role("status").text_content() == f"{said}\u00a0"
        assert page.get_by_text("These happen at the latest time only, 1.").is_visible()

    def test_keys_of_the_slider_send_what_the_buttons_send(self, bare, play):
        page = bare(TimelineView(play))

        for key in ("ArrowLeft", "ArrowDown", "ArrowRight", "ArrowUp", "PageDown", "PageUp", "Home", "End"):
            page.get_by_role("slider").press(key)

        acts = [message["act"] for message in page.evaluate("sent")]
        assert acts == ["step_back"] * 2 + ["step"] * 2 + ["jump_back", "jump", "start", "latest"]

    def test_slider_goes_by_quarters_of_a_step(self, bare, play):
        page = bare(TimelineView(play))

        page.get_by_role("slider").fill("3.3")

        assert page.evaluate("sent") == [3.25]

    def test_what_arrives_is_drawn_and_said(self, bare, play):
        view = TimelineView(play)
        page = bare(view)

        play.revoke("a")
        play.put("zz")
        play.look_at(math.nextafter(10, 0))
        arrive(page, view)

        assert page.get_by_role("status").text_content() == play.words
        assert page.get_by_role("img").get_attribute("aria-label") == play.words
        assert page.get_by_role("slider").get_attribute("aria-valuetext") == "just before 10 seconds"
        assert page.get_by_role("slider").input_value() == "10"  # as near as a slider comes; no drag, nothing is sent
        assert page.locator("svg").get_by_text("now: just before 10").is_visible()
        assert page.locator("svg title").count() == 0  # it would follow the pointer
        assert page.get_by_role("button", name="Grant again").is_visible()
        assert page.locator("option").all_inner_texts() == ["a", "b", "c", "d", "zz"]

        play.look_at(21)
        play.put("b")
        arrive(page, view)

        assert page.get_by_role("slider").get_attribute("max") == "35"

    def test_table_under_the_words_is_that_of_the_same_instant(self, bare, play):
        view = TimelineView(play)
        page = bare(view)
        assert not page.get_by_role("table").is_visible()

        page.get_by_text("The same as a table").click()
        play.look_at(10)
        arrive(page, view)

        assert page.get_by_role("columnheader").all_inner_texts() == list(play.table.columns)
        assert page.get_by_role("cell").all_inner_texts() == list(play.table.rows[0])

    def test_keys_of_the_slider_are_told(self, bare, play):
        page = bare(TimelineView(play))

        page.get_by_text("Keys of the slider").click()

        assert page.get_by_text("Page up: on to the next deadline.").is_visible()

    def test_what_went_wrong_looks_like_it_until_something_goes_well(self, bare, play):
        view = TimelineView(play)
        page = bare(view)
        words = page.get_by_role("status")
        marked = "words => getComputedStyle(words).borderLeftStyle"

        press(view, "fly")
        arrive(page, view)
        assert words.text_content() == view.page["words"]
        assert words.evaluate(marked) == "solid"

        press(view, "step")
        arrive(page, view)
        assert words.evaluate(marked) == "none"

    def test_grant_is_that_of_the_key_chosen(self, bare, play):
        play.revoke("a")
        page = bare(TimelineView(play))
        turns = page.locator("[data-act=revoke], [data-act=grant]")
        seen = []

        for key in "aba":
            page.get_by_label("Key").select_option(key)
            seen.append(turns.text_content())
            turns.click()

        assert seen == ["Grant again", "Revoke", "Grant again"]
        assert [(sent["act"], sent["key"]) for sent in page.evaluate("sent")] == [
            ("grant", "a"),
            ("revoke", "b"),
            ("grant", "a"),
        ]

    def test_thumb_that_is_dragged_stays_under_the_pointer(self, bare, play):
        view = TimelineView(play)
        page = bare(view)
        slider = page.get_by_role("slider")
        box = slider.bounding_box()
        middle = box["y"] + box["height"] / 2

        page.mouse.move(box["x"] + 8, middle)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] * 0.8, middle)
        held = slider.input_value()
        view.now = 2
        arrive(page, view)
        assert slider.input_value() == held != "2"

        page.mouse.up()
        assert slider.input_value() == "2"
        assert page.evaluate("sent.length") > 0

    def test_drag_that_the_browser_ends_is_over(self, bare, play):
        view = TimelineView(play)
        page = bare(view)
        slider = page.get_by_role("slider")
        slider.dispatch_event("pointerdown")

        slider.dispatch_event("pointercancel")
        view.now = 2
        arrive(page, view)

        assert slider.input_value() == "2"

    def test_play_ticks_until_it_is_stopped_or_over(self, bare, play):
        view = TimelineView(play)
        page = bare(view)
        page.get_by_role("button", name="Play").click()
        page.clock.run_for(1300)
        assert [message["act"] for message in page.evaluate("sent")] == ["tick", "tick"]

        page.get_by_role("button", name="Pause").click()
        page.clock.run_for(1300)
        assert len(page.evaluate("sent")) == 2

        page.get_by_role("button", name="Play").click()
        play.look_at(1)
        arrive(page, view)  # what the tick did, and there is more to come
        page.clock.run_for(700)
        assert len(page.evaluate("sent")) == 3

        play.look_at(10)
        arrive(page, view)
        page.clock.run_for(1300)
        assert len(page.evaluate("sent")) == 3
        assert page.get_by_role("button", name="Play").get_attribute("aria-disabled") == "true"

    @pytest.mark.parametrize(
        "stop",
        [
            lambda page: page.get_by_role("slider").press("Home"),
            lambda page: page.get_by_role("slider").dispatch_event("pointerdown"),
            lambda page: page.get_by_role("button", name="Put").click(),
        ],
    )
    def test_play_stops_when_something_else_is_done(self, bare, play, stop):
        page = bare(TimelineView(play))
        page.get_by_role("button", name="Play").click()

        stop(page)
        page.clock.run_for(1300)

        assert "tick" not in [message["act"] for message in page.evaluate("sent")]
        assert page.get_by_role("button", name="Play").is_visible()

    def test_key_that_the_slider_does_not_know_stops_nothing(self, bare, play):
        page = bare(TimelineView(play))
        page.get_by_role("button", name="Play").click()

        page.get_by_role("slider").press("x")

        assert page.get_by_role("button", name="Pause").is_visible()
        assert page.evaluate("sent") == []

    def test_play_is_off_where_waiting_changes_nothing(self, bare):
        page = bare(TimelineView(Timeline(ttl=10)))
        button = page.get_by_role("button", name="Play")

        button.press("Enter")
        page.clock.run_for(1300)

        assert button.get_attribute("aria-disabled") == "true"
        assert page.evaluate("sent") == []

    def test_play_ends_with_the_view(self, bare, play):
        page = bare(TimelineView(play))
        page.get_by_role("button", name="Play").click()

        page.evaluate("leave()")
        page.clock.run_for(1300)

        assert page.evaluate("sent") == []

    def test_view_that_was_taken_away_draws_no_more(self, bare, play):
        view = TimelineView(play)
        page = bare(view)
        page.evaluate("leave()")

        play.look_at(5)
        arrive(page, view)

        assert "Now is 0." in page.get_by_role("status").text_content()

    def test_thumb_stands_above_the_line_of_now_in_a_window_of_any_width(self, bare, play):
        play.look_at(6)
        page = bare(TimelineView(play))

        for width in (1100, 700, 328):
            page.set_viewport_size({"width": width, "height": 800})
            line = page.locator("svg path[stroke='#a40e26']").bounding_box()
            slider = page.get_by_role("slider").bounding_box()
            thumb = slider["x"] + 8 + (slider["width"] - 16) * 6 / play.horizon

            assert abs(thumb - (line["x"] + line["width"] / 2)) < 2
            assert slider["y"] + slider["height"] <= line["y"]
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    def test_picture_can_be_read_in_a_narrow_window_and_scrolled_by_keyboard(self, bare, play):
        page = bare(TimelineView(play))
        page.set_viewport_size({"width": 328, "height": 800})
        box = page.get_by_role("group", name="Slider and picture")

        box.focus()
        for _ in range(20):
            page.keyboard.press("ArrowRight")

        page.wait_for_function(
            "box => box.scrollLeft > box.scrollWidth - box.clientWidth - 2", arg=box.element_handle()
        )
        assert page.evaluate(SMALLEST_WORDS, page.locator("svg").element_handle()) >= READABLE
        assert page.evaluate("sent") == []
        page.set_viewport_size({"width": 900, "height": 800})
        assert box.evaluate("box => box.scrollWidth == box.clientWidth")

    def test_whatever_has_the_focus_shows_it(self, bare, play):
        play.advance(1)
        page = bare(TimelineView(Timeline(ttl=9, max_bytes=9)))
        outlined = set()

        for _ in range(16):
            page.keyboard.press("Tab")
            focused = page.evaluate(FOCUSED)
            outlined.add(focused.pop("what"))
            assert focused == {"outline": "solid 3px", "offset": "2px", "isCut": False}

        assert outlined == {"BUTTON", "DIV", "INPUT", "SELECT", "SUMMARY"}

    def test_button_that_is_off_looks_it(self, bare, play):
        page = bare(TimelineView(play))
        edges = [
            page.get_by_role("button", name=name).evaluate("button => getComputedStyle(button).borderTopStyle")
            for name in ("Back a step", "Step 1 s")
        ]

        assert edges == ["dashed", "solid"]

    def test_controls_are_high_enough_to_be_hit(self, bare):
        page = bare(TimelineView(Timeline(ttl=9, max_bytes=9)))
        heights = "[...document.querySelectorAll('button:not([hidden]), input, select')].map(one => one.offsetHeight)"

        assert min(page.evaluate(heights)) >= 24

    def test_jupyterlab_is_told_to_leave_the_keys_of_all_that_takes_the_focus(self, bare, play):
        page = bare(TimelineView(play))
        reached = "[...document.querySelectorAll('button, input, select, summary, [tabindex]')]"

        assert page.evaluate(f"{reached}.length") >= 15
        assert page.evaluate(f"{reached}.every(one => one.dataset.lmSuppressShortcuts === 'true')")

    def test_on_paper_there_is_the_picture_and_no_control(self, bare, play):
        page = bare(TimelineView(play))
        page.set_viewport_size({"width": 400, "height": 800})

        page.emulate_media(media="print")

        for control in ("button", "select", "input", "summary"):
            assert page.locator(control).filter(visible=True).count() == 0
        assert page.get_by_role("status").is_visible()
        picture = page.locator("svg").bounding_box()
        assert 300 < picture["width"] <= 400  # paper does not scroll

    def test_bytes_are_asked_for_where_they_are_a_bound(self, bare, play):
        assert not bare(TimelineView(play)).get_by_label("Bytes").is_visible()
        assert bare(TimelineView(Timeline(ttl=1, max_bytes=9))).get_by_label("Bytes").is_visible()


KEYS = ["a", "b", "another", "editors-of-all", "WWWWWWWWWW", "日本語の鍵日本語の鍵", "lllllllllllllllllll"]

BADLY_PLACED = """
([pictures, family]) => pictures.flatMap(picture => {
    document.body.innerHTML = picture;
    const svg = document.querySelector("svg");
    svg.setAttribute("font-family", family);
    const { width, height } = svg.viewBox.baseVal;
    const seen = [...svg.querySelectorAll("text")].map(node => ({ words: node.textContent, box: node.getBBox() }));
    const isOut = ({ box: { x, y, width: w, height: h } }) => x < 1 || y < 1 || x + w > width - 1 || y + h > height - 1;
    const isOver = (one, other) =>
        one.x + one.width > other.x && other.x + other.width > one.x &&
        one.y + one.height > other.y + 3 && other.y + other.height > one.y + 3; // lines may touch
    const isOverItsBar = ({ box }) => box.x < 20 && box.x + box.width > 79;
    return [
        ...seen.filter(isOut).map(({ words }) => `outside: ${words}`),
        ...seen.flatMap((one, at) => seen.slice(at + 1).filter(other => isOver(one.box, other.box))
            .map(other => `over each other: ${one.words} | ${other.words}`)),
        ...seen.filter(isOverItsBar).map(({ words }) => `over its bar: ${words}`),
    ];
})
"""


def some_script(rng):
    """A timeline on which many things happened, at instants that are told at length."""
    bounds = {"max_entries": rng.choice([None, 1, 2]), "max_bytes": rng.choice([None, 20])}
    ttl = rng.choice([0.001, 2.25, 10, 1e5, 890_000, 1_234_567.891])
    play = Timeline(ttl=ttl, **bounds)
    acts = [play.put, play.put, play.get, play.peek, play.revoke, play.grant]
    waits = [play.step, play.jump, play.jump_just_before, play.tick, lambda: play.advance(ttl / 3)]
    for _ in range(rng.randint(1, 14)):
        rng.choice(acts)(rng.choice(KEYS))
        if rng.random() < 0.6 and play.next_deadline:
            rng.choice(waits)()
    play.look_at(rng.choice([0, play.latest, play.latest / 2, play.horizon]))
    return play


class TestPicture:
    @pytest.mark.parametrize("family", ["sans-serif", "DejaVu Sans"])
    def test_words_stand_inside_the_card_and_not_over_each_other_whatever_happened(self, browser, family):
        rng = random.Random(9)
        pictures = [some_script(rng).picture for _ in range(150)]
        with browser.new_page() as page:
            assert page.evaluate(BADLY_PLACED, [pictures, family]) == []


SOURCE = """\
from labkit.widgets.timeline import Timeline
from labkit.widgets.timeline_picture import WIDTH
from labkit.widgets.timeline_view import TimelineView

play = Timeline(ttl=10, max_entries=2)
play.put("a")
TimelineView(play)"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """A JupyterLab for this file."""
    with live_lab(tmp_path_factory.mktemp("lab")) as lab:
        yield lab


@pytest.fixture
def shown(request, browser, lab, notebook_file):
    """A notebook with the view in it, opened and run in this theme."""
    lesson = lab.work / f"05_{request.param}.ipynb"  # a path of its own, or it would get the other test's kernel
    lesson.write_bytes(notebook_file("# Timeline", SOURCE, "play.latest").read_bytes())
    with browser.new_context(viewport={"width": 1000, "height": 900}, color_scheme=request.param) as context:
        page = context.new_page()
        enter(page, lab, lesson.stem)
        opened = LessonPage(page, lab.work)
        opened.open(lesson)
        opened.wait_for_kernel()
        opened.run_all()
        opened.page.locator(".labkit-timeline").wait_for()
        yield opened.page


@pytest.fixture
def lesson(browser, lab, tmp_path):
    """Lesson 09 as it is recorded, in a narrow window beside the file browser, as JupyterLab comes up."""
    path = lab.work / "09_bounded_map.ipynb"
    path.write_bytes((ROOT / "notebooks" / path.name).read_bytes())
    with browser.new_context() as context:
        page = context.new_page()
        enter(page, lab, tmp_path.name)
        opened = LessonPage(page, lab.work)
        opened.look("dark", width=700)
        opened.open_to_read(path)
        expect(page.locator("#filebrowser")).to_be_visible()
        yield opened


def read(page):
    """What the live region says, once picture and words are of the same moment."""
    words = page.get_by_role("status").and_(page.locator(".labkit-words"))
    expect(page.locator(".labkit-picture svg")).to_have_attribute("aria-label", words.text_content().rstrip("\u00a0"))
    return words.text_content()


def badly_accessible(page):
    """What axe calls serious or critical in the view."""
    found = Axe().run(page, context=".labkit-timeline").response["violations"]
    return [rule["id"] for rule in found if rule["impact"] in ("serious", "critical")]


class TestInJupyterLab:
    @pytest.mark.parametrize("shown", ["dark"], indirect=True)
    def test_time_can_be_clicked_dragged_and_keyed_both_ways(self, shown):
        view = shown.locator(".labkit-timeline")
        words, slider = view.locator(".labkit-words"), view.get_by_role("slider")

        view.get_by_role("button", name="Just before 10").click()
        expect(words).to_contain_text("a: alive, 10 <= just before 10: False")
        view.get_by_role("button", name="To 10").click()
        expect(words).to_contain_text("a: expired at 10, 10 <= 10: True")
        view.get_by_role("button", name="Put").click()
        expect(words).to_contain_text("a (2): alive, 20 <= 10: False")

        box = slider.bounding_box()
        shown.mouse.move(box["x"] + 8 + (box["width"] - 16) * 10 / 25, box["y"] + box["height"] / 2)
        shown.mouse.down()
        shown.mouse.move(box["x"] + 8 + (box["width"] - 16) * 5 / 25, box["y"] + box["height"] / 2, steps=4)
        shown.mouse.up()
        expect(words).to_contain_text("Now is 5. You look back: time has run to 10.")
        expect(view.get_by_role("button", name="Put")).to_be_disabled()
        expect(view.get_by_text("These happen at the latest time only, 10.")).to_be_visible()

        for key, said in [("ArrowLeft", "Now is 4."), ("Home", "Now is 0."), ("ArrowRight", "Now is 1.")]:
            before = words.text_content()
            slider.press(key)
            expect(words).to_contain_text(said)
            assert f"Now is {slider.input_value()}." in said
            assert read(shown) != before
        slider.press("End")
        expect(view.get_by_role("button", name="Put")).to_be_enabled()
        assert read(shown).startswith("Now is 10.")

        assert badly_accessible(shown) == []

    @pytest.mark.parametrize("shown", ["light"], indirect=True)
    def test_keyboard_alone_reaches_every_control_and_jupyterlab_takes_no_key_away(self, shown):
        view = shown.locator(".labkit-timeline")
        view.get_by_role("button").first.focus()
        names = []

        for _ in range(13):
            names.append(
                shown.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText")
            )
            shown.keyboard.press("Tab")
        shown.keyboard.press("Shift+Tab")
        shown.keyboard.press("Enter")
        expect(view.locator(".labkit-words")).to_contain_text("a: alive, grant revoked")
        shown.keyboard.press("Shift+Tab")
        shown.keyboard.press("Shift+Tab")
        shown.keyboard.press("Space")
        expect(view.locator(".labkit-words")).to_contain_text("a: refused, the cache was not asked")
        cells = shown.locator(".jp-NotebookPanel-notebook:visible .jp-Cell")
        shown.keyboard.press("b")  # in JupyterLab: a new cell below

        assert names[0] == "Back to a deadline"
        assert names[6:8] == ["Slider and picture", "Now, in seconds"]
        assert names[-4:] == ["Put", "Get", "Peek", "Revoke"]
        expect(cells).to_have_count(3)
        assert badly_accessible(shown) == []

    def test_lesson_in_a_narrow_window_can_be_read_before_it_is_run(self, lesson):
        pictures = lesson.notebook.locator(".jp-OutputArea-output img")

        for place in range(pictures.count()):
            picture = pictures.nth(place)
            assert picture.bounding_box()["width"] * 12 / WIDTH >= READABLE  # the smallest words are of size 12
            assert picture.evaluate("seen => getComputedStyle(seen.parentElement).overflowX") == "auto"
        assert pictures.count() >= 3
        assert lesson.cut_off() == []

    def test_lesson_in_a_narrow_window_can_be_read_and_scrolled_when_it_runs(self, lesson):
        lesson.put_away()
        lesson.open(lesson.path)
        lesson.wait_for_kernel()
        lesson.run_all()
        view = lesson.output("09-06").locator(".labkit-timeline")
        view.wait_for()
        box = view.get_by_role("group", name="Slider and picture")

        box.focus()
        for _ in range(20):
            lesson.page.keyboard.press("ArrowRight")  # in JupyterLab: unfold the heading

        lesson.page.wait_for_function(AT_ITS_END, arg=box.element_handle())
        assert view.locator("svg").evaluate(SMALLEST_WORDS) >= READABLE
        assert lesson.cut_off() == []
        assert badly_accessible(lesson.page) == []
