"""Maps as the `map` subcommands write, describe and draw them."""

from __future__ import annotations

import io
import math
import zipfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from dorosim.app.run.report.console import print_line, print_notices
from dorosim.app.run.report.json_output import Facts
from dorosim.app.store.lanelet2_file import is_lanelet2
from dorosim.app.store.opendrive_file import is_opendrive
from dorosim.ground.error import InputError
from dorosim.recording.whole_file import write_file
from dorosim.road.check import Severity, check_map
from dorosim.road.mgeo.record import MGeoMap
from dorosim.road.mgeo.writer import mgeo_files
from dorosim.road.opendrive.check import check_opendrive, left_out_of
from dorosim.road.opendrive.record import OpenDriveMap

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
            write_file(out, _packed(files), "give another place")
            return
        out.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            write_file(out / name, content, "give another place")
    except OSError as error:
        raise InputError(str(out), "", f"cannot be written: {error.strerror}", "give another place") from None


def _packed(files: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, _ZIP_DATE), files[name], zipfile.ZIP_DEFLATED, 9)
    return stream.getvalue()


def map_facts(source: str, town: MGeoMap) -> Facts:
    """What a map holds.

    Returns:
        name, source: of the map, and where it is from. format, version: MGeo, OpenDRIVE or Lanelet2, and which of it.
        traffic_dir, projection: as the map gives them, "" where it does not. origin: of the map, in the projection.
        centre_deg: latitude and longitude, None where they are unknown. centre_problem: why they are.
        extent_m: least and greatest x, y and z of lanes.
        nodes, links, lanes, lane_changes, lane_boundaries, crosswalks, markings, signs, parking_spaces: how many.
        lanes_km: how long they are. speed_limits_kmh: which there are.
        link_types, traffic_lights: how many of each type, most of all first.
        controllers, programmes: of intersections. notices: what of the map is not used.
    """
    lanes = [link for link in town.links if not link.lazy_init]
    points = np.concatenate([link.points for link in lanes]) if lanes else np.zeros((1, 3))
    low, high = points.min(axis=0), points.max(axis=0)
    centre, problem = _geographic(town, (low + high) / 2)
    return {
        "name": town.name,
        "source": source,
        "format": "OpenDRIVE" if is_opendrive(source) else "Lanelet2" if is_lanelet2(source) else "MGeo",
        "version": "" if is_lanelet2(source) else f"{town.info.major}.{town.info.minor}",
        "traffic_dir": town.info.traffic_dir or "",
        "projection": town.info.coordinate_system or "",
        "origin": [float(part) for part in town.info.origin],
        "centre_deg": centre,
        "centre_problem": problem,
        "extent_m": [low.tolist(), high.tolist()],
        "nodes": len(town.nodes),
        "links": len(town.links),
        "lanes": len(lanes),
        "lane_changes": len(town.links) - len(lanes),
        "lanes_km": sum(float(np.linalg.norm(np.diff(link.points, axis=0), axis=1).sum()) for link in lanes) / 1000,
        "speed_limits_kmh": sorted({round(link.max_speed) for link in lanes}),
        "link_types": dict(Counter(link.link_type or "none" for link in lanes).most_common()),
        "lane_boundaries": len(town.lane_boundaries),
        "traffic_lights": dict(Counter(light.type for light in town.traffic_lights).most_common()),
        "controllers": len(town.intersection_controllers),
        "programmes": len(town.intersection_programmes),
        "crosswalks": len(town.single_crosswalks),
        "markings": len(town.surface_markings),
        "signs": len(town.traffic_signs),
        "parking_spaces": len(town.parking_spaces),
        "notices": list(town.notices),
    }


_ROWS = {
    "source": "{source}",
    "version": "{form}, {direction}",
    "projection": "{projected}, origin {at}",
    "centre": "{centre}",
    "extent": "x {low[0]:.0f} to {high[0]:.0f} m, y {low[1]:.0f} to {high[1]:.0f} m, z {low[2]:.1f} to {high[2]:.1f} m",
    "nodes": "{nodes}",
    "links": "{links}: {lanes} lanes, {lanes_km:.1f} km, {lane_changes} lane changes",
    "speed limits": "{limits} km/h",
    "link types": "{types}",
    "lane boundaries": "{lane_boundaries}",
    "traffic lights": "{lights}",
    "intersections": "{controllers} controllers, {programmes} programmes",
    "crosswalks": "{crosswalks}",
    "markings, signs": "{markings} markings, {signs} signs",
    "parking spaces": "{parking_spaces}",
}
"""What is printed of a map, of its facts and of what `print_map` makes of them."""


def print_map(facts: Facts) -> None:
    """Print what a map holds."""
    console = Console(highlight=False)
    why = f": {facts['centre_problem']}" if facts["centre_problem"] else ""
    known = "latitude {:.5f}, longitude {:.5f}"
    shown = facts | {
        "form": f"{facts['format']} {facts['version']}".strip(),
        "direction": facts["traffic_dir"] or "traffic direction not given",
        "projected": facts["projection"] or "none",
        "at": ", ".join(f"{part:,.1f}" for part in facts["origin"]),
        "centre": f"unknown{why}" if facts["centre_deg"] is None else known.format(*facts["centre_deg"]),
        "low": facts["extent_m"][0],
        "high": facts["extent_m"][1],
        "limits": ", ".join(map(str, facts["speed_limits_kmh"])),
        "types": _counts(facts["link_types"]),
        "lights": _counts(facts["traffic_lights"]) or "none",
    }
    table = Table(box=None, show_header=False, title=f"map {escape(facts['name'])}", title_justify="left")
    for label, form in _ROWS.items():
        table.add_row(label, escape(form.format_map(shown)))
    console.print(table)
    print_notices(console, facts["notices"])


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


def check_facts(source: str, town: MGeoMap) -> Facts:
    """What is wrong with a map: how many errors, and all problems with warnings and information.

    Args:
        source: where the map lies.
        town: the map.
    """
    problems = list(check_map(town))
    if is_lanelet2(source):
        problems = [replace(one, file=Path(source).name) for one in problems]
    errors = sum(one.severity is Severity.ERROR for one in problems)
    return {"map": town.name, "notices": list(town.notices), "errors": errors, "problems": problems}


def check_opendrive_facts(town: OpenDriveMap) -> Facts:
    """What is wrong with an OpenDRIVE file, as `check_facts` has it; notices say what is not supported."""
    problems = check_opendrive(town)
    errors = sum(one.severity is Severity.ERROR for one in problems)
    return {"map": Path(town.source).stem, "notices": left_out_of(town), "errors": errors, "problems": problems}


def print_check(facts: Facts) -> None:
    """Print what is wrong with a map."""
    console = Console(highlight=False)
    print_notices(console, facts["notices"])
    for problem in facts["problems"]:
        place = "" if problem.position is None else f" at ({', '.join(f'{part:.1f}' for part in problem.position)})"
        line = f"{problem.severity.value}: {problem.file}: {problem.id}{place}: {problem.message}"
        print_line(console, line, _STYLE[problem.severity])
    found = Counter(problem.severity for problem in facts["problems"])
    counts = ", ".join(f"{found[severity]} {severity.value}" for severity in Severity)
    console.print(f"map {facts['map']}: {counts}", markup=False)


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
