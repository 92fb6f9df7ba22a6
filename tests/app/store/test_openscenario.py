"""Files that a file of OpenSCENARIO names are opened in folders that are allowed, and nowhere else."""

from __future__ import annotations

import os

import pytest

from dorosim.app.store import openscenario
from dorosim.app.store.openscenario import FolderFiles, find_openscenario, is_openscenario
from dorosim.ground.error import InputError


@pytest.fixture
def folder(tmp_path):
    """A scenario's folder, and a file beside it that is no concern of the scenario."""
    (tmp_path / "mine" / "cars").mkdir(parents=True)
    (tmp_path / "mine" / "cars" / "b.xosc").write_bytes(b"b")
    (tmp_path / "mine" / "cars" / "a.xosc").write_bytes(b"a")
    (tmp_path / "mine" / "cars" / "a.txt").write_bytes(b"t")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "secret.xosc").write_bytes(b"s")
    return tmp_path / "mine"


def files(folder, *allow):
    return FolderFiles([folder, *allow])


@pytest.mark.parametrize("name", ["cars/a.xosc", "./cars/../cars/a.xosc", "cars\\a.xosc", ".\\cars\\..\\cars\\a.xosc"])
def test_a_file_below_the_folder_is_opened(folder, name):
    assert files(folder).read(name, str(folder / "x.xosc")) == (str(folder / "cars" / "a.xosc"), b"a")


def test_the_files_of_a_folder_come_in_order_and_are_those_of_openscenario(folder):
    found = files(folder).read_folder("cars", str(folder / "x.xosc"))
    assert [one.content for one in found] == [b"a", b"b"]
    assert files(folder).read_folder("cars/b.xosc", str(folder / "x.xosc"))[0].content == b"b"


@pytest.mark.parametrize(
    "name",
    [
        "../other/secret.xosc",
        "..\\other\\secret.xosc",
        "cars/../../other/secret.xosc",
        "/etc/passwd",
        "link.xosc",
        "by/secret.xosc",
    ],
)
def test_what_leads_out_is_refused_with_what_to_allow(folder, name):
    (folder / "link.xosc").symlink_to(folder.parent / "other" / "secret.xosc")
    (folder / "by").symlink_to(folder.parent / "other")
    with pytest.raises(InputError, match="leads out of the folders in which it may open files; allow it: --allow /"):
        files(folder).read(name, str(folder / "x.xosc"))
    with pytest.raises(InputError, match="leads out"):
        files(folder).read_folder(name, str(folder / "x.xosc"))


def test_a_folder_that_is_allowed(folder):
    allowed = files(folder, folder.parent / "other")
    assert allowed.read("../other/secret.xosc", str(folder / "x.xosc")).content == b"s"


def test_links_in_a_folder_that_lead_out_are_refused(folder):
    (folder / "cars" / "c.xosc").symlink_to(folder.parent / "other" / "secret.xosc")
    with pytest.raises(InputError, match="leads out"):
        files(folder).read_folder("cars", str(folder / "x.xosc"))


def test_a_name_is_looked_up_in_the_data_folder_where_it_is_not_beside_the_file(folder):
    found = FolderFiles([folder], [folder.parent / "other"])
    assert found.read("secret.xosc", str(folder / "x.xosc")).content == b"s"


@pytest.mark.parametrize("name", ["", " ", "a\0b", "a\nb", "x" * 2_000, "gone.xosc", "cars"])
def test_names_that_no_file_has(folder, name):
    with pytest.raises(InputError):
        files(folder).read(name, str(folder / "x.xosc"))


def test_a_pipe_is_not_waited_for(folder):
    os.mkfifo(folder / "pipe.xosc")
    with pytest.raises(InputError, match="is no plain file"):
        files(folder).read("pipe.xosc", str(folder / "x.xosc"))
    assert len(files(folder).read_folder(".", str(folder / "x.xosc"))) == 0


def test_a_folder_of_too_much_is_refused(folder, monkeypatch):
    monkeypatch.setattr(openscenario, "MAX_FOLDER_FILES", 1)
    with pytest.raises(InputError, match="has more than 1 files"):
        files(folder).read_folder("cars", str(folder / "x.xosc"))
    monkeypatch.setattr(openscenario, "MAX_FOLDER_FILES", 10)
    monkeypatch.setattr(openscenario, "MAX_FOLDER_SIZE", 1)
    with pytest.raises(InputError, match="has files of more than"):
        files(folder).read_folder("cars", str(folder / "x.xosc"))


def test_a_file_is_found_by_path_and_by_its_name_in_the_data_folder(tmp_path):
    (tmp_path / "Scenario").mkdir()
    (tmp_path / "Scenario" / "one.xosc").write_bytes(b"1")
    (tmp_path / "there.xosc").write_bytes(b"2")
    for given in ("one", "one.xosc"):
        assert is_openscenario(given, tmp_path)
        assert find_openscenario(given, tmp_path)[0].content == b"1"
    assert find_openscenario(str(tmp_path / "there.xosc"), tmp_path)[0].content == b"2"
    assert not is_openscenario("two", tmp_path)
    assert not is_openscenario("../one", tmp_path)
    with pytest.raises(InputError, match=r"known scenarios: one\.xosc"):
        find_openscenario("two.xosc", tmp_path)
    with pytest.raises(InputError, match="there is no such folder"):
        find_openscenario("one", tmp_path, [tmp_path / "gone"])
