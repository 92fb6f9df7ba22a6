"""Lane centres of an OpenDRIVE file as a table, as `dorosim map lanes` writes it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from rich.console import Console

from dorosim.app.run.report.console import print_notices
from dorosim.app.store.table_file import write_table
from dorosim.ground.error import InputError
from dorosim.road.opendrive.check import left_out_of
from dorosim.road.opendrive.junction_ground import MapLines
from dorosim.road.opendrive.lane_line import LanePoints
from dorosim.road.opendrive.lane_sample import places_along
from dorosim.road.opendrive.record import OdrRoad, OpenDriveMap

COLUMNS = ("road", "lane", "s", "lane_type", "width", "x", "y", "z", "h", "p", "r", "curvature")
"""Of the table: lengths [m], heading, pitch and roll from 0 to a turn [rad], curvature [1/m]."""

MAX_LANE_ROWS = 2_000_000
"""A table with more rows is refused."""

_TYPES = (
    *("none", "driving", "stop", "shoulder", "biking", "sidewalk", "border", "restricted", "parking", "bidirectional"),
    *("median", "special1", "special2", "special3", "roadWorks", "tram", "rail", "entry", "exit", "offRamp", "onRamp"),
    *("curb", "connectingRamp"),
)
LANE_TYPE_CODES = {name: 1 << bit for bit, name in enumerate(_TYPES)} | {"mwyEntry": 1 << 17, "mwyExit": 1 << 18}
"""Type of a lane to the number that esmini has for it; every other type, and lane 0, is "none"."""

_BLOCK = 200_000
"""Points of the lanes of a road that are calculated at once."""


def write_lane_table(town: OpenDriveMap, step: float, out: Path) -> int:
    """Write the middle of every lane of every road, each about `step` [m].

    Args:
        town: the file.
        step: least distance of two places along a road; they are evenly spaced from end to end.
        out: a .csv file.

    Returns:
        The number of rows.

    Raises:
        InputError: the step is not more than 0, the table would be too long, or the file cannot be written.
    """
    if not (step > 0.0 and math.isfinite(step)):
        raise InputError("--step", "", f"{step:g} is not a valid distance", "give metres, more than 0")
    expected = sum(_rows_of(road, step) for road in town.roads)
    if expected > MAX_LANE_ROWS:
        raise InputError(
            "--step", "", f"the table would have {expected:.3g} rows", f"give a step with {MAX_LANE_ROWS} at most"
        )
    lines = [",".join(COLUMNS)]
    map_lines = MapLines(town)
    for road in town.roads:
        lines.extend(_lines_of(road, map_lines, step))
    write_table(out, "\n".join(lines) + "\n")
    return len(lines) - 1


def show_left_out(town: OpenDriveMap) -> None:
    """Print on standard error what of a file is not read, and what was mended."""
    print_notices(Console(stderr=True, highlight=False), left_out_of(town))


def _rows_of(road: OdrRoad, step: float) -> float:
    """How many rows a road may have."""
    lanes = 1 + max((len(one.lanes) for one in road.lane_sections), default=0)
    return (road.length / step + 2.0) * lanes


def _lines_of(road: OdrRoad, map_lines: MapLines, step: float) -> Iterator[str]:
    """The rows of a road: by s, then lanes from left to right."""
    if not road.lane_sections:
        return
    lines = map_lines.of(road)
    places = places_along(road.length, step)
    size = max(1, _BLOCK // (1 + max(len(one.lanes) for one in road.lane_sections)))
    for start in range(0, len(places), size):
        block = places[start : start + size]
        sections = lines.sections_at(block)
        for section in np.unique(sections):
            s = block[sections == section]
            yield from _rows(road, int(section), s, lines.lanes_at(int(section), s))


def _rows(road: OdrRoad, section: int, s: np.ndarray, lanes: dict[int, LanePoints]) -> Iterator[str]:
    """The rows of places in one lane section."""
    types = {lane.id: lane.type for lane in road.lane_sections[section].lanes if lane.id}
    codes = {number: LANE_TYPE_CODES.get(types.get(number, "none"), 1) for number in lanes}
    columns = {number: _columns(points) for number, points in lanes.items()}
    name = _quoted(road.id)
    for index, place in enumerate(s.tolist()):
        for number, table in columns.items():
            width, x, y, z, heading, pitch, roll, curvature = table[index]
            yield (
                f"{name},{number},{place:.4f},{codes[number]},{width:.5f},{x:.5f},{y:.5f},{z:.5f},"
                f"{heading:.6f},{pitch:.6f},{roll:.6f},{curvature:.7f}"
            )


def _columns(points: LanePoints) -> list[list[float]]:
    """Points as rows of numbers, angles in one turn."""
    angles = [np.mod(one, math.tau) for one in (points.heading, points.pitch, points.roll)]
    table = np.stack([points.width, points.x, points.y, points.z, *angles, points.curvature], axis=1)
    rows: list[list[float]] = table.tolist()
    return rows


def _quoted(text: str) -> str:
    """An id as a field of a CSV file; most are numbers."""
    return '"' + text.replace('"', '""') + '"' if any(letter in text for letter in ',"\r\n') else text
