"""A lesson in a window of Chromium, as its reader sees it and works in it.

Every wait is for something that shows: a cell, an idle kernel, a promise of JupyterLab's that is kept.
"""

from pathlib import Path
from typing import Literal

from axe_playwright_python.sync_playwright import Axe
from live_lab import LiveLab
from nbformat import NotebookNode
from playwright.sync_api import Locator, Page, expect

from labkit.nbtools.notebook import read_lesson, tags

Theme = Literal["light", "dark"]

PATIENCE = 60_000
"""Milliseconds for anything to show up; a busy machine has taken half of it to open a notebook."""

OPEN = """
async ([path, kernelPreference]) => {
    const panel = await window.jupyterapp.commands.execute("docmanager:open", { path, kernelPreference });
    await panel.revealed;
    await panel.sessionContext.ready;
    return panel.id;
}
"""
"""Gives the id of the panel, once its cells are there, and its kernel when it is to have one."""

AWAY = "id => [...window.jupyterapp.shell.widgets('main')].find(panel => panel.id === id).dispose()"
"""Nothing asks whether to save: JupyterLab's own way to close does, when a kernel has changed the notebook."""

COMMAND = """
([name, args, patience]) => Promise.race([
    window.jupyterapp.commands.execute(name, args).then(() => null),
    new Promise((_, reject) => setTimeout(() => reject(new Error(`${name} does not end`)), patience)),
])
"""

CUT_OFF = """
page => {
    const edge = page.getBoundingClientRect().right + 1;
    const sticksOut = seen => seen.getBoundingClientRect().right > edge;
    const hasBar = seen => ["auto", "scroll"].includes(getComputedStyle(seen).overflowX);
    const scrolls = seen => hasBar(seen) && !sticksOut(seen) && !seen.matches(".cm-scroller");
    const reachable = seen => { for (; seen !== page; seen = seen.parentElement) if (scrolls(seen)) return true; };
    return [...page.querySelectorAll(".jp-Cell :is(table, pre, svg, img, .cm-line, [role=note])")]
        .filter(seen => sticksOut(seen) && !reachable(seen)).map(seen => seen.outerHTML.slice(0, 200));
}
"""
"""What reaches beyond the right edge of the notebook with no scroll bar of its own to bring it back; code wraps."""


def enter(page: Page, lab: LiveLab, workspace: str) -> None:
    """Open JupyterLab with no notebook in it.

    Each window needs a workspace of its own: in a shared one JupyterLab opens what an earlier window left,
    and brings it to the front whenever it is ready.
    """
    page.context.set_default_timeout(PATIENCE)
    page.goto(lab.address.replace("/lab/tree/notebooks/00_start_here.ipynb", f"/lab/workspaces/{workspace}"))
    page.wait_for_function("window.jupyterapp")
    page.evaluate("window.jupyterapp.restored.then(() => null)")
    expect(page.locator(".jp-NotebookPanel")).to_have_count(0)


class LessonPage:
    """One lesson in one window; cells are named by their ids."""

    def __init__(self, page: Page, work: Path):
        self.page = page
        self.work = work

    def open(self, path: Path) -> None:
        """Show a notebook of the work folder, and start its kernel."""
        self._open(path, {})

    def open_to_read(self, path: Path) -> None:
        """Show a notebook that gets no kernel."""
        self._open(path, {"shouldStart": False, "canStart": False})

    def _open(self, path: Path, kernel: dict[str, bool]) -> None:
        self.path, self.content = path, read_lesson(path)
        self.panel = self.page.evaluate(OPEN, [path.relative_to(self.work).as_posix(), kernel])
        expect(self.cells).to_have_count(len(self.content.cells))

    def wait_for_kernel(self) -> None:
        """Wait until the kernel of the notebook in front is idle."""
        self.page.locator(".jp-StatusBar-TextItem", has_text="Python 3 (ipykernel) | Idle").wait_for(state="attached")

    @property
    def notebook(self) -> Locator:
        """What scrolls between the tool bar and the status bar."""
        return self.page.locator(f"#{self.panel} .jp-NotebookPanel-notebook:visible")

    @property
    def cells(self) -> Locator:
        """Every cell, from the top."""
        return self.notebook.locator(".jp-Cell")

    def cell(self, id: str) -> Locator:
        """The cell with this id, such as `01-07`."""
        return self.cells.nth(self.content.cells.index(self._cell(id)))

    def _cell(self, id: str) -> NotebookNode:
        cell = self.content.cell(id)
        assert cell, f"the lesson has no cell {id}"
        return cell

    def output(self, id: str) -> Locator:
        """What the cell shows below its code."""
        return self.cell(id).locator(".jp-OutputArea-output")

    def tagged(self, tag: str) -> list[Locator]:
        """The cells that carry this tag."""
        return [self.cells.nth(place) for place, cell in enumerate(self.content.cells) if tag in tags(cell)]

    def write(self, id: str, old: str, new: str) -> None:
        """Put `new` in place of `old` in the code of a cell."""
        source = self._cell(id).source
        assert old in source
        self.cell(id).locator(".cm-content").fill(source.replace(old, new))

    def run(self, id: str) -> None:
        """Go into a cell and press Shift and Enter."""
        self.cell(id).locator(".cm-content").click()
        self.page.keyboard.press("Shift+Enter")

    def command(self, name: str, **args: object) -> None:
        """Let JupyterLab do what one of its menus offers, and wait until it is done."""
        self.page.wait_for_function("window.jupyterapp")
        self.page.evaluate(COMMAND, [name, args, PATIENCE])

    def run_all(self) -> None:
        """Run every cell."""
        self.command("notebook:run-all-cells")

    def save(self) -> None:
        """Write the file."""
        self.command("docmanager:save")

    def put_away(self) -> None:
        """Close the notebook, whatever of it is not saved."""
        self.page.evaluate(AWAY, self.panel)

    def cut_off(self) -> list[str]:
        """Tables, code and pictures of which a reader cannot see all, as the start of their HTML."""
        cut: list[str] = self.notebook.evaluate(CUT_OFF)
        return cut

    def look(self, theme: Theme, *, width: int) -> None:
        """Make the window this wide, and let its reader prefer a light or a dark theme."""
        self.page.set_viewport_size({"width": width, "height": 900})
        self.page.emulate_media(color_scheme=theme)
        expect(self.page.locator(f"body[data-jp-theme-light={str(theme == 'light').lower()}]")).to_be_attached()

    def hard_to_read(self) -> list[str]:
        """What axe calls serious or critical in what our cells show: the rule, and where."""
        shown = {"include": [[".jp-NotebookPanel:not(.lm-mod-hidden) .jp-OutputArea-output"]]}
        found = Axe().run(self.page, shown).response
        return [
            f"{rule['id']}: {node['html'][:160]}"
            for rule in found["violations"]
            if rule["impact"] in ("serious", "critical")
            for node in rule["nodes"]
        ]
