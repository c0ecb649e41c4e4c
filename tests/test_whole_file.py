"""A file is written whole or not at all, and what cannot be written is told by its path."""

import os

import pytest
from full_disk import FULL, NO_FOLDER, full_disk, linux

from labkit.whole_file import expect_writable, write_whole

posix = pytest.mark.skipif(os.name != "posix", reason="files as POSIX has them")


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_file_is_written_and_its_folder_is_made(tmp_path):
    write_whole(tmp_path / "a" / "b" / "file", b"new")

    assert (tmp_path / "a" / "b" / "file").read_bytes() == b"new"
    assert names(tmp_path / "a" / "b") == ["file"]


def test_whoever_reads_goes_on_reading_the_old_file_whole(tmp_path):
    path, held = tmp_path / "file", tmp_path / "held"
    path.write_bytes(b"as it was")
    held.hardlink_to(path)

    write_whole(path, b"new")

    assert (path.read_bytes(), held.read_bytes()) == (b"new", b"as it was")


def test_file_may_have_the_longest_name_there_is(tmp_path):
    write_whole(tmp_path / ("x" * 255), b"new")

    assert names(tmp_path) == ["x" * 255]


@posix
def test_file_keeps_its_permissions(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"as it was")
    path.chmod(0o640)

    write_whole(path, b"new")

    assert path.stat().st_mode & 0o777 == 0o640


@posix
def test_link_is_followed_and_stays_a_link(tmp_path):
    path, link = tmp_path / "file", tmp_path / "link"
    path.write_bytes(b"as it was")
    link.symlink_to(path)

    write_whole(link, b"new")

    assert (link.is_symlink(), path.read_bytes()) == (True, b"new")


@posix
def test_full_disk_is_told_by_the_path_and_leaves_the_old_file_whole(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"as it was")

    with full_disk(), pytest.raises(OSError, match="File too large") as told:
        write_whole(path, b"new")

    assert told.value.filename == str(path)
    assert (names(tmp_path), path.read_bytes()) == (["file"], b"as it was")


@linux
def test_device_is_written_to_and_never_replaced():
    with pytest.raises(OSError, match="No space left on device") as told:
        write_whole(FULL, b"new")

    assert told.value.filename == str(FULL)
    assert FULL.is_char_device()


@linux
@pytest.mark.parametrize("tried", [expect_writable, lambda path: write_whole(path, b"new")])
def test_folder_that_cannot_be_written_is_told_by_the_path(tried):
    with pytest.raises(OSError, match="file") as told:
        tried(NO_FOLDER / "file")

    assert told.value.filename == str(NO_FOLDER / "file")


@pytest.mark.parametrize("tried", [expect_writable, lambda path: write_whole(path, b"new")])
def test_folder_in_the_place_of_the_file_is_told_and_left_alone(tmp_path, tried):
    (tmp_path / "file").mkdir()

    with pytest.raises(OSError, match="file") as told:
        tried(tmp_path / "file")

    assert told.value.filename == str(tmp_path / "file")
    assert names(tmp_path) == ["file"]


@pytest.mark.parametrize("tried", [expect_writable, lambda path: write_whole(path, b"new")])
def test_file_in_the_place_of_the_folder_is_told(tmp_path, tried):
    (tmp_path / "a_file").touch()

    with pytest.raises(OSError, match="a_file"):
        tried(tmp_path / "a_file" / "file")


def test_what_can_be_written_is_not_touched_by_being_asked(tmp_path):
    (tmp_path / "file").write_bytes(b"as it was")

    expect_writable(tmp_path / "file")
    expect_writable(tmp_path / "new")

    assert (names(tmp_path), (tmp_path / "file").read_bytes()) == (["file"], b"as it was")
