"""The cache holds what was used last, and no more than fits."""

from __future__ import annotations

import os

import pytest

from dorosim.app.store import cache_file
from dorosim.app.store.cache_file import keep_file, read_kept


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder for 100 bytes, with files of 30 that were used one after the other."""
    monkeypatch.setattr(cache_file, "MAX_CACHE_SIZE", 100)
    for age, name in enumerate(("c", "b", "a")):
        file = tmp_path / f"{name}.scene"
        file.write_bytes(name.encode() * 30)
        os.utime(file, (1e9 - age, 1e9 - age))
    (tmp_path / "deeper").mkdir()
    return tmp_path


def names(folder) -> set[str]:
    return {one.stem for one in folder.iterdir() if one.is_file()}


def test_what_was_used_least_lately_goes(folder):
    keep_file(folder / "d.scene", b"d" * 30)
    assert names(folder) == {"b", "c", "d"}
    assert (folder / "deeper").is_dir()


def test_what_is_read_is_used(folder):
    assert read_kept(folder / "a.scene") == b"a" * 30
    keep_file(folder / "d.scene", b"d" * 30)
    assert names(folder) == {"a", "c", "d"}


def test_files_of_one_map_do_not_drive_each_other_out(folder):
    for name in ("town-12-1-aa.scene", "town-12-1-bb.page", "town-12-cc.network"):
        keep_file(folder / name, b"d" * 90)
    assert names(folder) == {"town-12-1-aa", "town-12-1-bb", "town-12-cc"}
    keep_file(folder / "town-12-2-aa.scene", b"d" * 20)
    assert names(folder) == {"town-12-2-aa", "town-12-cc"}


def test_one_file_is_kept_however_large_it_is(folder):
    keep_file(folder / "d.scene", b"d" * 1000)
    assert names(folder) == {"d"}
    keep_file(folder / "e.scene", b"e" * 30)
    assert names(folder) == {"e"}


def test_a_file_is_there_whole_or_not_at_all(folder, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", full)
    keep_file(folder / "a.scene", b"new")
    assert read_kept(folder / "a.scene") == b"a" * 30
    assert names(folder) == {"a", "b", "c"}


def test_a_folder_that_cannot_be_made_is_no_cache(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    keep_file(tmp_path / "file" / "a.scene", b"new")
    with pytest.raises(OSError, match=r"a\.scene"):
        read_kept(tmp_path / "file" / "a.scene")
