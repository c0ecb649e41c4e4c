"""Data is read strictly, checked against its pinned hash and handed out fresh."""

import hashlib
import json
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labkit import fixtures
from labkit.errors import ConfigError
from labkit.fixtures import MANIFEST, read_fixture, renew_manifest, strict_json

ROOT = Path(__file__).parent.parent
SETUPTOOLS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A fixtures folder of its own, with one file and its manifest."""
    (tmp_path / "one.json").write_text('{"a": [1]}', encoding="utf-8")
    renew_manifest(tmp_path)
    monkeypatch.setattr(fixtures, "REPOSITORY", tmp_path)
    return tmp_path


def test_every_fixture_of_the_repository_has_its_pinned_hash():
    pinned = json.loads((ROOT / "fixtures" / MANIFEST).read_text(encoding="utf-8"))["sha256"]
    paths = {path.relative_to(ROOT / "fixtures").as_posix(): path for path in (ROOT / "fixtures").rglob("*.json")}
    del paths[MANIFEST]

    assert {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in paths.items()} == pinned


@pytest.mark.usefixtures("folder")
def test_each_reading_is_a_fresh_copy():
    first = read_fixture("one.json")

    first["a"].append(2)

    assert read_fixture("one.json") == {"a": [1]}


def test_fixture_in_a_folder_below_is_read_by_its_path(folder):
    (folder / "below").mkdir()
    (folder / "below" / "two.json").write_text("2", encoding="utf-8")
    renew_manifest(folder)

    assert read_fixture("below/two.json") == 2


def test_one_changed_byte_is_refused_by_name(folder):
    (folder / "one.json").write_text('{"a": [2]}', encoding="utf-8")

    with pytest.raises(ConfigError, match=r"broken_fixture: one\.json: its SHA-256"):
        read_fixture("one.json")


def test_file_that_nobody_pinned_is_refused(folder):
    (folder / "new.json").write_text("1", encoding="utf-8")

    with pytest.raises(ConfigError, match=r"broken_fixture: new\.json"):
        read_fixture("new.json")


@pytest.mark.usefixtures("folder")
def test_file_that_is_missing_is_refused_by_name():
    with pytest.raises(ConfigError, match=r"broken_fixture: none\.json: cannot be read"):
        read_fixture("none.json")


@pytest.mark.parametrize("text", ['{"a": 1, "a": 1}', "[NaN]", "[1,", "[" * 100_000, b"\xff"], ids=repr)
def test_pinned_file_that_is_not_strict_json_is_refused_by_name(folder, text):
    (folder / "one.json").write_bytes(text if isinstance(text, bytes) else text.encode())
    renew_manifest(folder)

    with pytest.raises(ConfigError, match=r"broken_fixture: one\.json"):
        read_fixture("one.json")


@pytest.mark.parametrize(
    "text", ['{"a": 1, "a": 2}', '[{"b": {"a": 1, "a": 1}}]', "NaN", "[Infinity]", "-Infinity", "1e400", "-1e400", ""]
)
def test_strict_json_refuses_a_key_said_twice_and_numbers_without_an_end(text):
    with pytest.raises(ValueError):  # noqa: PT011  the rule is that it is refused, in whichever words
        strict_json(text)


@given(VALUES)
def test_strict_json_reads_whatever_json_writes(value):
    assert strict_json(json.dumps(value)) == value


def test_renewing_the_manifest_twice_gives_the_same_bytes(folder):
    before = (folder / MANIFEST).read_bytes()

    renew_manifest(folder)

    assert (folder / MANIFEST).read_bytes() == before


def test_wheel_carries_the_fixtures_where_they_are_looked_for(tmp_path, monkeypatch):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "one.json").write_text("1", encoding="utf-8")
    renew_manifest(tmp_path / "data")
    monkeypatch.setattr(fixtures, "files", lambda _: tmp_path)

    assert read_fixture("one.json") == 1
    assert SETUPTOOLS["package-dir"] == {"labkit.data": "fixtures"}


def test_wheel_carries_every_package_of_labkit():
    folders = {path.parent.relative_to(ROOT) for path in (ROOT / "labkit").rglob("*.py")}

    assert {".".join(folder.parts) for folder in folders} | {"labkit.data"} == set(SETUPTOOLS["packages"])
