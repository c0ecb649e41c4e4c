"""A learner in a real JupyterLab: what a fresh copy shows, what running it does, what is kept and what is not cut."""

from collections.abc import Generator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from lesson_page import PATIENCE, LessonPage, enter
from live_lab import LiveLab, live_lab
from playwright.sync_api import Browser, Page, expect, sync_playwright

from labkit.lesson.progress import DEFAULT_NAME, load_progress
from labkit.nbtools.notebook import read_lesson
from labkit.nbtools.recorded import recorded
from labkit.workfolder import lay

ROOT = Path(__file__).parent.parent
LESSONS = sorted(path.name for path in (ROOT / "notebooks").glob("[0-9]*.ipynb"))
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]

UNTRUSTED = "scrollable-region-focusable: "
"""JupyterLab takes `tabindex` away from HTML that it does not trust; the browser itself lets keys into what scrolls."""

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
def lab(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Generator[LiveLab]:
    """A server for all tests of this file; none of its kernels outlives it."""
    assert chromium  # a machine without it needs no server
    home = tmp_path_factory.mktemp("lab")
    lay(ROOT, home / "work")
    with live_lab(home) as lab:
        yield lab
    assert not list((home / "runtime").glob("*.json"))  # each kernel, and the server, takes its own away at its end


@pytest.fixture(scope="module")
def browser(chromium: str) -> Generator[Browser]:
    """One Chromium for all tests of this file."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def window(lab: LiveLab, browser: Browser, tmp_path: Path) -> Generator[Page]:
    """JupyterLab in a window of its own; what it asks for, it asks of the server and of no other host."""
    asked: list[str] = []
    with browser.new_context() as context:
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("websocket", lambda socket: asked.append(socket.url))
        enter(page, lab, tmp_path.name)
        yield page
    hosts = {urlsplit(url).netloc for url in asked if urlsplit(url).scheme not in ("data", "blob")}
    assert hosts == {urlsplit(lab.address).netloc}


@pytest.fixture
def lesson(lab: LiveLab, window: Page, tmp_path: Path) -> LessonPage:
    """Lesson 01 from a work folder that was laid for this test alone, 1100 pixels wide, with a kernel of its own."""
    lay(ROOT, lab.work / tmp_path.name)
    page = LessonPage(window, lab.work)
    page.look("light", width=1100)
    page.open(lab.work / tmp_path.name / "notebooks" / "01_canonical.ipynb")
    page.wait_for_kernel()
    return page


def test_untrusted_copy_shows_its_tables_and_gives_no_answer_away(lesson):
    expect(lesson.output("01-09").locator("table")).to_contain_text("c842f838")
    expect(lesson.notebook.locator(".jp-mod-trusted")).to_have_count(0)
    for outcome, letter in zip(lesson.tagged("outcome"), "ABCD", strict=True):
        expect(outcome.locator(".jp-OutputArea-output")).to_have_count(0)
        expect(outcome.locator(".jp-OutputPlaceholder")).to_have_text(f"01.{letter} came out:")
    for solution in lesson.tagged("solution"):
        expect(solution.locator(".cm-content")).to_have_count(0)
        expect(solution.locator(".jp-InputPlaceholder")).to_have_text("# A solution: unfold the cell to read it.")


def test_running_all_opens_what_was_hidden_and_a_save_is_one_repair_away_from_what_is_recorded(lesson):
    path = lesson.path

    lesson.run_all()
    lesson.save()

    expect(lesson.notebook.locator(".jp-OutputPlaceholder")).to_have_count(0)
    expect(lesson.output("01-07")).to_have_text("01.A came out: different digests. Not predicted.")
    expect(lesson.notebook.locator("[data-mime-type*=error], [data-mime-type*=stderr]")).to_have_count(0)
    prompts = lesson.notebook.locator(".jp-InputArea-prompt:visible").all_inner_texts()
    assert [prompt for prompt in prompts if prompt.strip()][-1] == f"[{len(lesson.content.code_cells) - 1}]:"
    assert path.read_text(encoding="utf-8") != lesson.content.text
    assert recorded(read_lesson(path)) == (ROOT / "notebooks" / path.name).read_text(encoding="utf-8")


def test_learner_predicts_errs_takes_a_hint_and_passes(lesson):
    lesson.run("01-03")

    lesson.write("01-06", "...", '"different digests"')
    lesson.run("01-06")
    expect(lesson.output("01-06")).to_contain_text("01.A predicted: different digests.")
    lesson.run("01-07")
    expect(lesson.output("01-07")).to_have_text("01.A came out: different digests. As you predicted.")

    lesson.write("01-12", "...", '"same identity"')
    lesson.run("01-12")
    lesson.run("01-13")
    expect(lesson.output("01-13")).to_contain_text("If you chose that, you were thinking that Python's == decides")

    lesson.write("01-30", 'check("01.1", mine)', 'hint("01.1", 3)')
    lesson.run("01-30")
    expect(lesson.output("01-30")).to_contain_text("write the number one in another way")
    lesson.write("01-30", '"k": 1', '"k": 3')
    lesson.run("01-30")
    expect(lesson.output("01-30")).to_contain_text("01.1 not yet.")
    lesson.write("01-30", '"k": 1', '"k": True')
    lesson.run("01-30")
    expect(lesson.output("01-30")).to_have_text("01.1 passed. Rule: one spelling.")

    kept = load_progress(lesson.path.parent / DEFAULT_NAME)
    assert kept.score() == [{"rule": "one spelling", "right": 1, "of": 2}]
    assert kept.passed == {"01.1": "one spelling"}


def test_lesson_can_be_read_in_a_narrow_window_after_a_run_in_either_theme(lesson):
    lesson.run_all()

    for theme in ("light", "dark"):
        lesson.look(theme, width=700)
        assert lesson.cut_off() == []
        assert lesson.hard_to_read() == []


def test_every_untrusted_lesson_can_be_read_in_a_narrow_dark_window(lesson):
    lesson.look("dark", width=700)
    folder, cut_off, hard_to_read = lesson.path.parent, {}, {}

    for name in LESSONS:
        lesson.put_away()
        lesson.open_to_read(folder / name)
        cut_off[name] = lesson.cut_off()
        hard_to_read[name] = [found for found in lesson.hard_to_read() if not found.startswith(UNTRUSTED)]

    assert cut_off == hard_to_read == {name: [] for name in LESSONS}
