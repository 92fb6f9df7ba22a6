"""Lane centres against those of a reference engine, every 5 m of ten maps."""

from __future__ import annotations

import csv
import gzip
import io
import math

import numpy as np
import pytest

from dorosim.app.analyse.lane_table import COLUMNS, LANE_TYPE_CODES, write_lane_table
from dorosim.road.opendrive.plan_record import ParamPoly3Shape
from dorosim.road.opendrive.reader import read_opendrive
from tests.shared import shared

MAPS = {
    "Town01": "opendrive/Town01.xodr",
    **{
        name: f"openscenario/resources/xodr/{name}.xodr"
        for name in (
            "crest-curve",
            "curves_elevation",
            "e6mini",
            "e6mini-lht",
            "fabriksgatan",
            "jolengatan",
            "multi_intersections",
            "soderleden",
            "straight_500m",
        )
    },
}


def rows_of(text):
    """(road, lane, s) to the other columns."""
    header, *rows = csv.reader(io.StringIO(text))
    assert tuple(header) == COLUMNS
    return {tuple(row[:3]): np.array(row[3:], float) for row in rows}


def read(name):
    return read_opendrive(f"{name}.xodr", shared(MAPS[name]).read_bytes())


@pytest.mark.parametrize("name", MAPS)
def test_lane_centres_are_those_of_the_reference(name, tmp_path):
    town = read(name)
    out = tmp_path / "lanes.csv"
    write_lane_table(town, 5.0, out)
    ours = rows_of(out.read_text())
    theirs = rows_of(gzip.decompress(shared(f"opendrive/lanes/{name}.lanes.csv.gz").read_bytes()).decode())
    assert list(ours) == list(theirs), "the same places of the same lanes, in the same order"
    found, expected = (np.array(list(rows.values())) for rows in (ours, theirs))
    cubic = any(isinstance(one.shape, ParamPoly3Shape) for road in town.roads for one in road.geometries)
    lane_type, width, x, y, z, *angles, curvature = (found - expected).T
    assert np.abs(lane_type).max() == 0
    assert np.abs(width).max() < 1e-4
    assert np.hypot(x, y).max() < (0.005 if cubic else 0.002)
    assert np.abs(z).max() < 0.002
    for angle in angles:
        assert np.abs(np.mod(angle + math.pi, math.tau) - math.pi).max() < 0.001
    assert np.abs(curvature).max() < 1e-4


def test_all_of_them_is_supported():
    assert {name: read(name).unsupported for name in MAPS} == {name: {} for name in MAPS}


def test_lane_types_have_the_numbers_of_the_reference():
    assert (LANE_TYPE_CODES["driving"], LANE_TYPE_CODES["border"], LANE_TYPE_CODES["curb"]) == (2, 64, 1 << 21)
