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


def test_lanelet2_goes_both_ways(tmp_path):
    there, back = tmp_path / "village.osm", tmp_path / "village.xodr"
    done = dorosim("map", "convert", "village", there)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{there}: 142 lanelets, 7 crosswalks, 0 lights\n"
    assert dorosim("map", "check", there).returncode == 0
    done = dorosim("map", "convert", there, back)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{back}: 142 roads of 142 links")


@pytest.mark.parametrize(
    ("source", "target", "words"),
    [
        ("village", "village.kml", "its ending '.kml' is not one of a format that is written"),
        ("village", "village", "its ending '' is not one"),
        ("atlantis", "a.xodr", "there is no such map"),
        ("town.xodr", "a.xodr", "there is no such map"),
        ("town.osm", "a.osm", "is a Lanelet2 file already"),
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
