"""The command `labkit`: what a learner, an instructor and CI can ask for, and how it answers."""

import io
import json
import signal
import sys
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from labkit.exit_codes import EXIT_CODES, FINDING, complain, plain_errors
from labkit.whole_file import expect_writable, write_whole

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=EXIT_CODES,
)

Names = Annotated[
    list[str] | None,
    typer.Argument(metavar="NAME", help="A number (5), a name (05_eligible) or a path; all lessons if none."),
]
Labs = Annotated[Literal["access", "results"], typer.Argument(metavar="LAB", help="access or results.")]
Jobs = Annotated[int, typer.Option("--jobs", "-j", min=1, metavar="N", help="Notebooks at once.")]


@app.callback()
def labkit() -> None:
    """Open the lessons, record them anew, and prove that what is recorded still comes out."""


@app.command(epilog=EXIT_CODES)
def lab(
    *,
    fresh: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Back up your copy of this lesson and give it anew; can be repeated."),
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the address, open no browser.")] = False,
) -> None:
    """Open JupyterLab on your own copy of the lessons."""
    with plain_errors():
        from labkit.jupyter import open_jupyter
        from labkit.workfolder import lay

        root = Path(__file__).resolve().parents[1]
        for line in lay(root, root / "work", fresh=fresh or ()).lines():
            typer.echo(line)
        open_jupyter(root / "work", browser=not no_browser)


@app.command(epilog=EXIT_CODES)
def regenerate(
    names: Names = None,
    *,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; say what would change.")] = False,
    format_only: Annotated[
        bool, typer.Option("--format-only", help="Run nothing; repair what an editor's save did to the file.")
    ] = False,
    jobs: Jobs = 2,
) -> None:
    """Run notebooks from the top and record their outputs."""
    with plain_errors():
        from rich.console import Console

        from labkit.nbtools.notebook import chosen, read_lesson
        from labkit.nbtools.onlooker import Onlooker
        from labkit.nbtools.regenerate import InPlace, LookOnly, reformat, regenerate
        from labkit.nbtools.series import Series

        series = Series.of_this_checkout()
        lessons = [read_lesson(path) for path in chosen(names or (), series.folder)]
        shelf = LookOnly() if check else InPlace(series.root / "build" / "failed")
        with Onlooker(Console(), lessons, changed="would change" if check else "changed") as watcher:
            if format_only:
                results = reformat(lessons, shelf=shelf, watcher=watcher)
            else:
                results = regenerate(lessons, shelf=shelf, watcher=watcher, jobs=jobs)
        for result in results:
            if result.failure:
                kept = f" The failed run is in {near(result.failed_run)}." if result.failed_run else ""
                complain(f"{near(result.lesson.path)}, {result.failure}.{kept}")
        bad = [result for result in results if result.failure or (check and result.changes)]
        raise typer.Exit(1 if bad else 0)


@app.command(epilog=EXIT_CODES)
def check(
    names: Names = None,
    *,
    jobs: Jobs = 2,
    junit: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write a JUnit report.")] = None,
    github: Annotated[
        bool, typer.Option("--github", envvar="GITHUB_ACTIONS", help="Also print annotations for GitHub.")
    ] = False,
    rules: Annotated[bool, typer.Option("--rules", help="Check nothing; name every rule and what it holds.")] = False,
) -> None:
    """Prove that what the notebooks show still comes out; change nothing."""
    with plain_errors():
        from rich.console import Console

        from labkit.nbtools import report
        from labkit.nbtools.check import check
        from labkit.nbtools.notebook import chosen
        from labkit.nbtools.onlooker import bar
        from labkit.nbtools.rules import RULES
        from labkit.nbtools.series import Series

        if rules:
            typer.echo("\n".join(f"{name}: {promise}" for name, promise in RULES.items()))
            raise typer.Exit
        series = Series.of_this_checkout()
        paths = chosen(names or (), series.folder)
        if junit:
            expect_writable(junit)  # first: what cannot be made is told before the work
        console = Console()
        with bar(console) as running:
            notebooks = running.add_task("notebooks", total=len(paths))
            found = check(paths, series=series, jobs=jobs, after_notebook=lambda _: running.advance(notebooks))
        report.print_report(found, console)
        if junit:
            write_whole(junit, report.junit(found).encode())
        if github:
            typer.echo(report.github(found), nl=False)
        raise typer.Exit(found.exit_code)


@app.command(epilog=EXIT_CODES)
def doctor() -> None:
    """Say what is wrong with this environment, and how to mend it."""
    with plain_errors():
        from labkit.doctor import examine

        raise typer.Exit(examine())


@app.command(epilog=EXIT_CODES)
def record(
    lab: Labs,
    *,
    output: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write here, not to the recording that lessons show."),
    ] = None,
) -> None:
    """Send the named requests to real servers on this machine, and record what comes back."""
    with plain_errors():
        from labkit.driver.record import departures, keep, kept_at, record

        expect_writable(output or kept_at(lab))
        recording = record(lab, typer.echo)
        if found := departures(lab, recording):
            for sentence in found:
                complain(sentence)
            raise typer.Exit(FINDING)
        keep(lab, recording, output)


@app.command(epilog=EXIT_CODES)
def serve(
    lab: Labs,
    *,
    host: Annotated[str, typer.Option(help="Where to listen; the loopback is this machine alone.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 for any that is free.")] = 8000,
    ttl: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="results alone: how long a result is kept, else 1.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Ids that repeat from run to run: for recordings only.")] = None,
    failing_tool: Annotated[bool, typer.Option("--failing-tool", help="Every search fails.")] = False,
    while_stdin: Annotated[
        bool, typer.Option("--while-stdin", help="End with standard input, as when whoever started it is gone.")
    ] = False,
    openapi: Annotated[
        bool, typer.Option("--openapi", help="Answer nothing; print the OpenAPI document, for who writes a client.")
    ] = False,
) -> None:
    """Answer over HTTP until Ctrl-C, for curl and for you; synthetic tokens, nothing real."""
    with plain_errors():
        from labkit.service.labs import lab_app
        from labkit.service.listen import address_of, listening, serve, serve_while_open

        made = lab_app(lab, ttl=ttl, seed=seed, tool="fails" if failing_tool else "literal")
        if openapi:
            typer.echo(json.dumps(made.openapi(), indent=2))
            return
        listener = listening(host, port)
        ready = partial(typer.echo, f"the {lab} lab answers on {address_of(listener)}")
        if while_stdin:
            serve_while_open(sys.stdin.fileno(), made, listener, ready)
        else:
            serve(made, listener, ready)


def near(path: Path) -> Path:
    """The path as seen from the current folder, where that is shorter."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a title with an arrow, on a terminal that has none
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a request to end is told, and ended, as Ctrl-C is
    try:
        with plain_errors():  # around every command, too: help can find no room
            app(prog_name="labkit")
    except typer.Exit as ended:
        sys.exit(ended.exit_code)
