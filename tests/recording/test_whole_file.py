"""Files are written whole or not at all, and what goes wrong with them is told in the system's words."""

from __future__ import annotations

import os

import pytest

from dorosim.ground.error import InputError
from dorosim.recording.whole_file import read_file, write_file


def test_a_file_is_replaced_and_nothing_else_stays(tmp_path):
    path = tmp_path / "file"
    for content in (b"first", b"second"):
        write_file(path, content, "")
        assert read_file(path) == content
    assert [one.name for one in tmp_path.iterdir()] == ["file"]


def test_a_file_that_cannot_be_written_stays_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "file"
    write_file(path, b"first", "")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match="file: cannot be written: No space left on device; make room"):
        write_file(path, b"second", "make room")
    assert read_file(path) == b"first"
    assert [one.name for one in tmp_path.iterdir()] == ["file"]


def test_of_a_file_that_is_too_large_one_byte_too_many_is_read(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert read_file(path, 5) == b"12345"
    assert read_file(path, 3) == b"1234"


@pytest.mark.parametrize("name", ["none", "no\0path"])
def test_what_cannot_be_read_or_written_is_refused(tmp_path, name):
    with pytest.raises(InputError, match="check the path"):
        read_file(tmp_path / name)
    with pytest.raises(InputError, match="cannot be written"):
        write_file(tmp_path / "none" / name, b"", "")
