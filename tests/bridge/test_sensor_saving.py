"""Saving sensor data by message never leads out of its folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from dorosim.app.serve.sensor.start import SensorFolder
from dorosim.bridge.answer import Refusal
from dorosim.bridge.udp.file import save_sensor_data
from dorosim.endpoint.sensor.saved_file import put_readings
from dorosim.ground.error import InputError
from dorosim.wire.udp.simulator import SaveSensorData


class Station:
    """Notes what is asked of it."""

    def __init__(self) -> None:
        self.asked = []

    def save(self, request) -> None:
        if len(self.asked) > 7:
            raise InputError("SaveSensorData", "", "too many")
        self.asked.append(request)


@pytest.fixture
def archive(tmp_path):
    folder = tmp_path / "SensorData"
    folder.mkdir()
    made = SensorFolder(folder)
    station = Station()
    made.station = lambda: station
    return made


def ask(archive, name: str, folder: str, *, custom: bool = True) -> list:
    message = SaveSensorData(is_custom_file_name=custom, custom_file_name=name, file_dir=folder)
    return list(save_sensor_data(archive, message, None))


def test_data_is_saved_in_the_folder_that_is_named(archive, tmp_path):
    assert ask(archive, "scene 1", "2024/run.1") == []
    assert ask(archive, "scene 1", "") == []
    assert ask(archive, "..", "..", custom=False) == [], "the names do not count"
    root = (tmp_path / "SensorData").resolve()
    assert [(one.folder, one.name) for one in archive.station().asked] == [
        (root / "2024" / "run.1", "scene 1"),
        (root, "scene 1"),
        (root, ""),
    ]


def test_a_whole_path_counts_if_it_lies_in_the_folder(archive, tmp_path):
    root = (tmp_path / "SensorData").resolve()
    for folder in (str(root), f"{root}/", f"{root}/run 1", f"{root}//run 1/"):
        assert ask(archive, "scene", folder) == []
    assert [one.folder for one in archive.station().asked] == [root, root, root / "run 1", root / "run 1"]
    (answer,) = ask(archive, "scene", str(tmp_path / "SensorData2"))
    assert "leads out of" in answer.reason


@pytest.fixture
def allowed(archive, tmp_path):
    """An archive whose user allows two folders more, one of which is not there yet; and these two."""
    folders = tmp_path / "mine", tmp_path / "later" / "on"
    folders[0].mkdir()
    made = SensorFolder(tmp_path / "SensorData", folders)
    made.station = archive.station
    return made, *(folder.resolve() for folder in folders)


def test_a_whole_path_counts_where_the_user_allows_it(allowed):
    archive, mine, later = allowed
    for folder in (f"{mine}", f"{mine}/run 1/", f"{later}/a/b"):
        assert ask(archive, "scene", folder) == []
    assert ask(archive, "scene", "mine") == [], "a name is that of a folder in the archive"
    root = Path(archive.place)
    assert [one.folder for one in archive.station().asked] == [mine, mine / "run 1", later / "a" / "b", root / "mine"]


def test_nothing_else_counts_whatever_is_allowed(allowed, tmp_path):
    archive, mine, later = allowed
    outside = tmp_path / "outside"
    outside.mkdir()
    (mine / "way").symlink_to(outside)
    (mine / "circle").symlink_to(mine / "circle")
    (tmp_path / "SensorData" / "way").symlink_to(mine)
    wrong = (f"{mine}/../outside", f"{mine}2", f"{mine}/way", f"{mine}/way/deep", f"{tmp_path}", "/", f"{later.parent}")
    wrong += (f"{mine}/circle/a", f"{mine}\\..\\outside", "way", f"{mine}/a\0b", f"//{mine}/../outside")
    for folder in wrong:
        (answer,) = ask(archive, "scene", folder)
        assert isinstance(answer, Refusal), folder
    (answer,) = ask(archive, "scene", str(outside))
    assert "sensor_data_folders" in answer.reason
    assert str(mine) in answer.reason
    for name in ("../scene", "a/b", "..", "a\\b"):
        assert isinstance(ask(archive, name, str(mine))[0], Refusal)
    assert archive.station().asked == []


def test_a_folder_that_becomes_a_link_before_it_is_written_to_gets_nothing(tmp_path):
    folder, outside = (tmp_path / "run").resolve(), tmp_path / "outside"
    outside.mkdir()
    folder.symlink_to(outside)
    with pytest.raises(OSError, match="has become a link"):
        put_readings(folder, "scene", None, (), is_resolved=True)
    assert put_readings(folder, "scene", None, ()) == 0, "the user's own folder may be one"


def test_a_refusal_says_where_files_go(archive, tmp_path):
    for name, folder in (("scene", "/etc"), ("scene", ".."), ("scene", "C:\\x"), ("a/b", "")):
        (answer,) = ask(archive, name, folder)
        assert str((tmp_path / "SensorData").resolve()) in answer.reason


@pytest.mark.parametrize(
    ("name", "folder"), [("n" * 201, ""), ("\ud55c" * 67, ""), ("n", "f" * 201), ("n", "a/" + "f" * 201)]
)
def test_what_no_file_system_takes_is_refused(archive, name, folder):
    (answer,) = ask(archive, name, folder)
    assert "201 bytes, more than 200" in answer.reason


@pytest.mark.parametrize(
    "folder", ["../Scenario", "a/../../b", "/etc", "C:\\Windows", "..\\x", "\\\\host\\share", "a\tb", "a\\..\\..\\b"]
)
def test_a_folder_that_leads_elsewhere_is_refused(archive, folder):
    (answer,) = ask(archive, "scene", folder)
    assert isinstance(answer, Refusal)
    assert "leads out of" in answer.reason
    assert archive.station().asked == []


@pytest.mark.parametrize("name", ["", "..", ".", "a/b", "a\\b", "C:x", "a\x07b"])
def test_a_name_that_is_none_is_refused(archive, name):
    (answer,) = ask(archive, name, "run 1")
    assert "is not a valid name of a file" in answer.reason
    assert archive.station().asked == []


def test_links_do_not_lead_out_either(archive, tmp_path):
    (tmp_path / "SensorData" / "out").symlink_to(tmp_path)
    (answer,) = ask(archive, "scene", "out/elsewhere")
    assert "leads out of" in answer.reason
    (tmp_path / "SensorData" / "link_x").symlink_to(tmp_path / "x")
    assert ask(archive, "link_x", "")


def test_too_many_requests_are_refused(archive):
    answers = [ask(archive, f"scene{number}", "") for number in range(12)]
    assert [len(answer) for answer in answers] == [0] * 8 + [1] * 4
