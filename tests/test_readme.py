"""What README.md and CONTRIBUTING.md say agrees with the tree and with the commands."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer.main

from labkit.cli import app
from labkit.fixtures import read_fixture

ROOT = Path(__file__).parent.parent
PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/architecture.md"]
ALL_PAGES = "\n".join((ROOT / page).read_text(encoding="utf-8") for page in PAGES)
NOTEBOOKS = sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))
LINK = re.compile(r"\]\(([^)\s]+)\)")


def rows_under(header: str) -> list[list[str]]:
    """The cells of each row of the table with this header line, as written."""
    table = (ROOT / "README.md").read_text(encoding="utf-8").split(f"\n{header}\n")[1].split("\n\n")[0]
    rows = [line.removeprefix("|").removesuffix("|").split("|") for line in table.splitlines()]
    return [[cell.strip() for cell in row] for row in rows[1:]]


def expected_row(notebook: Path) -> list[str]:
    """The row that a notebook's name and its opening cell call for."""
    opening = "".join(json.loads(notebook.read_text(encoding="utf-8"))["cells"][0]["source"])
    question = re.search(r"^# \d\d · (.*)$", opening, re.MULTILINE)
    facts = re.search(r"^\| (\d+) reading, (\d+) exercises \| .* \| (\w+) \|$", opening, re.MULTILINE)
    assert question, notebook.name
    assert facts, notebook.name
    link = f"[{notebook.stem}](notebooks/{notebook.name})"
    return [link, question[1], *module_and_test(notebook.stem[3:]), f"{facts[1]} + {facts[2]}", facts[3]]


def module_and_test(name: str) -> list[str]:
    modules = [path.relative_to(ROOT).as_posix() for path in (ROOT / "labkit").rglob(f"{name}.py")]
    return [f"[{name}]({modules[0]})", f"[test_{name}](tests/test_{name}.py)"] if modules else ["", ""]


def test_lesson_table_is_what_the_notebooks_say_of_themselves():
    rows = rows_under("| Notebook | Question | Module | Test | Minutes | Lab |")

    assert rows == [expected_row(notebook) for notebook in NOTEBOOKS]


def test_credentials_shown_are_those_of_the_policy_and_say_that_they_are_synthetic():
    policy = read_fixture("policy.json")

    shown = rows_under("| Token | Who | May search |")

    assert shown == [[f"`{token}`", who, ", ".join(policy["grants"][who])] for token, who in policy["tokens"].items()]
    assert all(token.startswith("synthetic-") for token in policy["tokens"])


def test_versions_that_the_outputs_were_made_with_are_those_of_the_lock():
    lock = (ROOT / "requirements-dev.lock").read_text(encoding="utf-8")
    (sentence,) = re.findall(r"^The lessons are recorded with .*", ALL_PAGES, re.MULTILINE)

    named = re.findall(r"(JupyterLab|ipykernel|nbclient|pandas|matplotlib) (\d+\.\d+)\b", sentence)

    assert len(named) == 5
    assert [name for name, version in named if f"\n{name.lower()}=={version}." not in lock] == []


@pytest.mark.parametrize("page", PAGES)
def test_every_relative_link_leads_somewhere(page):
    targets = LINK.findall((ROOT / page).read_text(encoding="utf-8"))
    inside = [target.partition("#")[0] for target in targets if "://" not in target]

    assert [target for target in inside if not ((ROOT / page).parent / target).exists()] == []


@pytest.mark.parametrize("page", PAGES)
def test_every_picture_says_in_words_what_it_shows(page):
    assert all(len(alt) > 20 for alt in re.findall(r"!\[(.*?)\]\(", (ROOT / page).read_text(encoding="utf-8")))


def test_every_labkit_command_named_exists_with_its_options():
    commands = typer.main.get_command(app).commands  # pyrefly: ignore[missing-attribute] - a group has them
    for name, words in re.findall(r"\blabkit ([a-z]+)\b((?: --?[a-z-]+)*)", code_in(ALL_PAGES)):
        options = {option for parameter in commands[name].params for option in parameter.opts}
        assert set(words.split()) <= options, name


def test_every_way_to_call_start_py_is_one_it_knows():
    known = subprocess.run([sys.executable, "start.py", "--help"], cwd=ROOT, capture_output=True, text=True, check=True)
    for words in re.findall(r"start\.py((?: [a-z0-9-]+)*)", code_in(ALL_PAGES)):
        for word in re.findall(r"(?<= )(?:--[a-z-]+|lab|test|lint|tests|notebooks)\b", words):
            assert word in known.stdout


def code_in(text: str) -> str:
    """Code spans and fenced blocks: what a reader would type."""
    return "\n".join(re.findall(r"```\n(.*?)```", text, re.DOTALL) + re.findall(r"`([^`\n]+)`", text))


def test_ci_runs_the_very_commands_that_contributing_names():
    workflow = (ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8")
    named = re.findall(r"^python3 start\.py test --only \w+$", (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE)

    assert sorted(re.findall(r"- run: (.*)", workflow)) == sorted(named)
    assert len(named) == 3


def test_every_file_and_folder_named_in_code_exists():
    names = re.findall(r"`((?:[\w.]+/)+[\w.]*|[\w-]+\.(?:py|md|toml|yml|lock))`", ALL_PAGES)
    made_later = {"work/", "tests/test_name.py", "labkit/lesson/exercises_NN.py"}

    assert [name for name in names if name not in made_later and not (ROOT / name).exists()] == []
