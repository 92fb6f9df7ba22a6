"""`dorosim map lanes` and `dorosim map check` on OpenDRIVE files."""

from __future__ import annotations

import csv
import json

import pytest

from dorosim.app.analyse.lane_table import COLUMNS, MAX_LANE_ROWS
from tests.app.command import dorosim
from tests.road.opendrive.sample import document, every_element, road


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "road.xodr"
    path.write_bytes(document(road()))
    return path


def table(path):
    with path.open(newline="") as stream:
        return list(csv.DictReader(stream))


def test_it_writes_a_row_a_lane_and_place(file, tmp_path):
    out = tmp_path / "lanes.csv"
    done = dorosim("map", "lanes", file, "--step", "30", "--csv", out)
    assert done.returncode == 0, done.stderr
    assert f"{out}: 12 rows of 1 roads" in done.stdout
    rows = table(out)
    assert tuple(rows[0]) == COLUMNS
    assert [row["s"] for row in rows[::3]] == ["0.0010", "33.3333", "66.6667", "99.9990"]
    assert [row["lane"] for row in rows[:3]] == ["1", "0", "-1"]
    expected = "1 -1 0.0010 2 4.00000 0.00100 -2.00000 0.00000 0.000000 0.000000 0.000000 0.0000000"
    assert list(rows[2].values()) == expected.split()


def test_it_says_what_is_not_supported(tmp_path):
    file, out = tmp_path / "every.xodr", tmp_path / "lanes.csv"
    file.write_bytes(every_element())
    done = dorosim("map", "lanes", file, "--csv", out)
    assert done.returncode == 0
    assert "2 x road/railroad: not supported" in done.stderr
    assert {row["road"] for row in table(out)} == {"1", "2"}


def test_an_id_may_be_any_text(tmp_path):
    file, out = tmp_path / "road.xodr", tmp_path / "lanes.csv"
    file.write_bytes(document(road(attributes="id='a, \"b\"'")))
    assert dorosim("map", "lanes", file, "--csv", out).returncode == 0
    assert {row["road"] for row in table(out)} == {'a, "b"'}


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ("0", "0 is not a valid distance"),
        ("nan", "nan is not a valid distance"),
        ("1e-9", f"with {MAX_LANE_ROWS} at most"),
    ],
)
def test_a_step_that_cannot_be(file, tmp_path, step, message):
    done = dorosim("map", "lanes", file, "--step", step, "--csv", tmp_path / "x.csv")
    assert done.returncode == 2
    assert message in done.stderr


def test_a_broken_file_is_named_with_its_line(file, tmp_path):
    file.write_bytes(file.read_bytes().replace(b'hdg="0"', b'hdg="north"'))
    done = dorosim("map", "lanes", file, "--csv", tmp_path / "x.csv")
    assert done.returncode == 2
    assert f"{file}: line 2, road 1, <geometry>, attribute 'hdg': expected a finite number" in done.stderr
    assert "error [map]" in done.stderr


def test_a_file_that_is_not_there(tmp_path):
    done = dorosim("map", "lanes", tmp_path / "none.xodr", "--csv", tmp_path / "x.csv")
    assert done.returncode == 2
    assert "No such file" in done.stderr


def test_a_place_that_cannot_be_written(file, tmp_path):
    done = dorosim("map", "lanes", file, "--csv", file / "x.csv")
    assert done.returncode == 2
    assert "error [output-file]" in done.stderr


def test_check_counts_what_is_not_supported_and_finds_problems(file, tmp_path):
    done = dorosim("map", "check", file)
    assert (done.returncode, done.stdout) == (0, "map road: 0 error, 0 warning, 0 information\n")
    file.write_bytes(document(road(attributes='id="1" junction="5"', more="<railroad/>")))
    done = dorosim("map", "check", file, "--json")
    assert done.returncode == 1
    found = json.loads(done.stdout)
    assert found["notices"] == [f"{file}: 1 x road/railroad: not supported"]
    assert [one["message"] for one in found["problems"]] == ["it is part of junction 5, which is not there"]
