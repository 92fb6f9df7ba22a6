"""`dorosim map convert`."""

from __future__ import annotations

import os

import pytest

from dorosim.road.opendrive.reader import read_opendrive
from tests.app.command import dorosim


def test_it_writes_a_file_that_is_read(tmp_path):
    out = tmp_path / "new" / "village.xodr"
    done = dorosim("map", "convert", "village", out)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{out}: 142 roads of 142 links")
    assert len(read_opendrive("village", out.read_bytes()).roads) == 142
    assert dorosim("map", "check", out).returncode == 0


@pytest.mark.parametrize(
    ("source", "target", "words"),
    [
        ("village", "village.osm", "its ending '.osm' is not one of a format that is written"),
        ("village", "village", "its ending '' is not one"),
        ("atlantis", "a.xodr", "there is no such map"),
        ("town.xodr", "a.xodr", "there is no such map"),
    ],
)
def test_what_cannot_be_converted_is_said(tmp_path, source, target, words):
    done = dorosim("map", "convert", source, tmp_path / target)
    assert done.returncode != 0
    assert words in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_said(tmp_path):
    (tmp_path / "file").write_text("")
    done = dorosim("map", "convert", "village", tmp_path / "file" / "village.xodr")
    assert done.returncode != 0
    assert "output-file" in done.stderr
    assert "cannot be written" in done.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_is_closed_is_said(tmp_path):
    tmp_path.chmod(0o500)
    done = dorosim("map", "convert", "village", tmp_path / "village.xodr")
    assert done.returncode != 0
    assert "cannot be written" in done.stderr
