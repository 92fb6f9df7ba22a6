"""Maps as the `map` subcommands write, describe and draw them."""

from __future__ import annotations

import io
import math
import zipfile
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from dorosim.ground.error import InputError, one_line
from dorosim.road.check import Problem, Severity, check_map
from dorosim.road.mgeo.record import MGeoMap
from dorosim.road.mgeo.writer import mgeo_files

_ZIP_DATE = (1980, 1, 1, 0, 0, 0)
"""The same files make the same zip file, byte for byte."""
_STYLE = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFORMATION: "dim"}


def write_map(out: Path, town: MGeoMap) -> None:
    """Write a map as MGeo 2.9, into a folder or a .zip file.

    Raises:
        InputError: it cannot be written.
    """
    files = mgeo_files(town)
    try:
        if out.suffix == ".zip":
            out.parent.mkdir(parents=True, exist_ok=True)
            out.write_bytes(_packed(files))
            return
        out.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            (out / name).write_bytes(content)
    except OSError as error:
        raise InputError(str(out), "", f"cannot be written: {error.strerror}", "give another place") from None


def _packed(files: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, _ZIP_DATE), files[name], zipfile.ZIP_DEFLATED, 9)
    return stream.getvalue()


@dataclass(frozen=True, slots=True)
class MapFacts:
    """What a map holds.

    Attributes:
        name, source: of the map, and where it is from. version: of MGeo.
        traffic_dir, projection: as the map gives them, "" where it does not. origin: of the map, in the projection.
        centre_deg: latitude and longitude, None where they are unknown. centre_problem: why they are.
        extent_m: least and greatest x, y and z of lanes.
        nodes, links, lanes, lane_changes, lane_boundaries, crosswalks, markings, signs, parking_spaces: how many.
        lanes_km: how long they are. speed_limits_kmh: which there are.
        link_types, traffic_lights: how many of each type, most of all first.
        controllers, programmes: of intersections. notices: what of the map is not used.
    """

    name: str
    source: str
    version: str
    traffic_dir: str
    projection: str
    origin: list[float]
    centre_deg: list[float] | None
    centre_problem: str
    extent_m: list[list[float]]
    nodes: int
    links: int
    lanes: int
    lane_changes: int
    lanes_km: float
    speed_limits_kmh: list[int]
    link_types: dict[str, int]
    lane_boundaries: int
    traffic_lights: dict[str, int]
    controllers: int
    programmes: int
    crosswalks: int
    markings: int
    signs: int
    parking_spaces: int
    notices: list[str]


def map_facts(source: str, town: MGeoMap) -> MapFacts:
    """What a map holds."""
    lanes = [link for link in town.links if not link.lazy_init]
    points = np.concatenate([link.points for link in lanes]) if lanes else np.zeros((1, 3))
    low, high = points.min(axis=0), points.max(axis=0)
    centre, problem = _geographic(town, (low + high) / 2)
    return MapFacts(
        name=town.name,
        source=source,
        version=f"{town.info.major}.{town.info.minor}",
        traffic_dir=town.info.traffic_dir or "",
        projection=town.info.coordinate_system or "",
        origin=[float(part) for part in town.info.origin],
        centre_deg=centre,
        centre_problem=problem,
        extent_m=[low.tolist(), high.tolist()],
        nodes=len(town.nodes),
        links=len(town.links),
        lanes=len(lanes),
        lane_changes=len(town.links) - len(lanes),
        lanes_km=sum(float(np.linalg.norm(np.diff(link.points, axis=0), axis=1).sum()) for link in lanes) / 1000,
        speed_limits_kmh=sorted({round(link.max_speed) for link in lanes}),
        link_types=dict(Counter(link.link_type or "none" for link in lanes).most_common()),
        lane_boundaries=len(town.lane_boundaries),
        traffic_lights=dict(Counter(light.type for light in town.traffic_lights).most_common()),
        controllers=len(town.intersection_controllers),
        programmes=len(town.intersection_programmes),
        crosswalks=len(town.single_crosswalks),
        markings=len(town.surface_markings),
        signs=len(town.traffic_signs),
        parking_spaces=len(town.parking_spaces),
        notices=list(town.notices),
    )


def print_map(facts: MapFacts) -> None:
    """Print what a map holds."""
    console = Console(highlight=False)
    (x0, y0, z0), (x1, y1, z1) = facts.extent_m
    centre = f"unknown{f': {facts.centre_problem}' if facts.centre_problem else ''}"
    if facts.centre_deg is not None:
        centre = f"latitude {facts.centre_deg[0]:.5f}, longitude {facts.centre_deg[1]:.5f}"
    rows = [
        ("source", facts.source),
        ("version", f"MGeo {facts.version}, {facts.traffic_dir or 'traffic direction not given'}"),
        ("projection", f"{facts.projection or 'none'}, origin {', '.join(f'{part:,.1f}' for part in facts.origin)}"),
        ("centre", centre),
        ("extent", f"x {x0:.0f} to {x1:.0f} m, y {y0:.0f} to {y1:.0f} m, z {z0:.1f} to {z1:.1f} m"),
        ("nodes", f"{facts.nodes}"),
        ("links", f"{facts.links}: {facts.lanes} lanes, {facts.lanes_km:.1f} km, {facts.lane_changes} lane changes"),
        ("speed limits", ", ".join(str(speed) for speed in facts.speed_limits_kmh) + " km/h"),
        ("link types", _counts(facts.link_types)),
        ("lane boundaries", f"{facts.lane_boundaries}"),
        ("traffic lights", _counts(facts.traffic_lights) or "none"),
        ("intersections", f"{facts.controllers} controllers, {facts.programmes} programmes"),
        ("crosswalks", f"{facts.crosswalks}"),
        ("markings, signs", f"{facts.markings} markings, {facts.signs} signs"),
        ("parking spaces", f"{facts.parking_spaces}"),
    ]
    table = Table(box=None, show_header=False, title=f"map {escape(facts.name)}", title_justify="left")
    for label, text in rows:
        table.add_row(label, escape(text))
    console.print(table)
    _print_notices(console, facts.notices)


def _print_notices(console: Console, notices: Iterable[str]) -> None:
    for notice in notices:
        console.print(one_line(f"notice: {notice}"), style="yellow", markup=False, soft_wrap=True)


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items())


def _geographic(town: MGeoMap, point: np.ndarray[tuple[int], np.dtype[np.float64]]) -> tuple[list[float] | None, str]:
    """Latitude and longitude [deg] of a point, None where they are unknown, and why they are."""
    from dorosim.road.projection import MapProjection

    try:
        projection = MapProjection(town.info.coordinate_system, town.info.origin, town.name)
    except InputError as error:
        return None, error.problem
    latitude, longitude, _ = (float(np.ravel(part)[0]) for part in projection.geographic_from_map(point))
    if not math.isfinite(latitude + longitude):
        return None, ""
    return [math.degrees(latitude), math.degrees(longitude)], ""


@dataclass(frozen=True, slots=True)
class CheckFacts:
    """What is wrong with a map: how many errors, and all problems with warnings and information."""

    map: str
    notices: list[str]
    errors: int
    problems: list[Problem]


def check_facts(town: MGeoMap) -> CheckFacts:
    """What is wrong with a map."""
    problems = list(check_map(town))
    return CheckFacts(town.name, list(town.notices), sum(one.severity is Severity.ERROR for one in problems), problems)


def print_check(facts: CheckFacts) -> None:
    """Print what is wrong with a map."""
    console = Console(highlight=False)
    _print_notices(console, facts.notices)
    for problem in facts.problems:
        place = "" if problem.position is None else f" at ({', '.join(f'{part:.1f}' for part in problem.position)})"
        line = f"{problem.severity.value}: {problem.file}: {problem.id}{place}: {problem.message}"
        console.print(one_line(line), style=_STYLE[problem.severity], markup=False, soft_wrap=True)
    found = Counter(problem.severity for problem in facts.problems)
    counts = ", ".join(f"{found[severity]} {severity.value}" for severity in Severity)
    console.print(f"map {facts.map}: {counts}", markup=False)


def plot_map(town: MGeoMap, out: Path, bounds: str | None, ids: bool) -> None:
    """Draw a map to a .png or .svg file.

    Raises:
        InputError: the bounds are not understood, matplotlib is not installed, or the file cannot be written.
    """
    from dorosim.app.analyse.drawing.drawing import draw_map
    from dorosim.app.store.picture_file import save_figure

    save_figure(draw_map(town, bounds=None if bounds is None else _bounds(bounds), link_ids=ids), out)


def _bounds(text: str) -> tuple[float, float, float, float]:
    try:
        x0, y0, x1, y1 = (float(part) for part in text.split(","))
    except ValueError:
        raise InputError("--bounds", "", f"{text!r} is not four numbers", "write it as --bounds=-50,0,50,80") from None
    if not (x0 < x1 and y0 < y1 and math.isfinite(x0 + y0 + x1 + y1)):
        raise InputError("--bounds", "", f"{text!r} is not a valid rectangle", "give the lower left corner first")
    return x0, y0, x1, y1
