"""Maps as the `map` subcommands write, describe and draw them."""

from __future__ import annotations

import io
import math
import zipfile
from collections import Counter
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from dorosim.ground.error import InputError, one_line
from dorosim.road.check import Severity, check_map
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


def describe_map(source: str, town: MGeoMap) -> None:
    """Print what a map holds."""
    console = Console(highlight=False)
    lanes = [link for link in town.links if not link.lazy_init]
    length = sum(float(np.linalg.norm(np.diff(link.points, axis=0), axis=1).sum()) for link in lanes) / 1000
    points = np.concatenate([link.points for link in lanes]) if lanes else np.zeros((1, 3))
    low, high = points.min(axis=0), points.max(axis=0)
    info = town.info
    speeds = sorted({round(link.max_speed) for link in lanes})
    rows = [
        ("source", source),
        ("version", f"MGeo {info.major}.{info.minor}, {info.traffic_dir or 'traffic direction not given'}"),
        (
            "projection",
            f"{info.coordinate_system or 'none'}, origin {', '.join(f'{part:,.1f}' for part in info.origin)}",
        ),
        ("centre", _geographic(town, (low + high) / 2)),
        (
            "extent",
            f"x {low[0]:.0f} to {high[0]:.0f} m, y {low[1]:.0f} to {high[1]:.0f} m, z {low[2]:.1f} to {high[2]:.1f} m",
        ),
        ("nodes", f"{len(town.nodes)}"),
        (
            "links",
            f"{len(town.links)}: {len(lanes)} lanes, {length:.1f} km, {len(town.links) - len(lanes)} lane changes",
        ),
        ("speed limits", ", ".join(str(speed) for speed in speeds) + " km/h"),
        ("link types", _counts(Counter(link.link_type or "none" for link in lanes))),
        ("lane boundaries", f"{len(town.lane_boundaries)}"),
        ("traffic lights", _counts(Counter(light.type for light in town.traffic_lights)) or "none"),
        (
            "intersections",
            f"{len(town.intersection_controllers)} controllers, {len(town.intersection_programmes)} programmes",
        ),
        ("crosswalks", f"{len(town.single_crosswalks)}"),
        ("markings, signs", f"{len(town.surface_markings)} markings, {len(town.traffic_signs)} signs"),
        ("parking spaces", f"{len(town.parking_spaces)}"),
    ]
    table = Table(box=None, show_header=False, title=f"map {escape(town.name)}", title_justify="left")
    for label, text in rows:
        table.add_row(label, escape(text))
    console.print(table)
    for notice in town.notices:
        console.print(one_line(f"notice: {notice}"), style="yellow", markup=False, soft_wrap=True)


def _counts(counter: Counter[str]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counter.most_common())


def _geographic(town: MGeoMap, point: np.ndarray[tuple[int], np.dtype[np.float64]]) -> str:
    from dorosim.road.projection import MapProjection

    try:
        projection = MapProjection(town.info.coordinate_system, town.info.origin, town.name)
    except InputError as error:
        return f"unknown: {error.problem}"
    latitude, longitude, _ = (float(np.ravel(part)[0]) for part in projection.geographic_from_map(point))
    if not math.isfinite(latitude + longitude):
        return "unknown"
    return f"latitude {math.degrees(latitude):.5f}, longitude {math.degrees(longitude):.5f}"


def print_problems(town: MGeoMap) -> int:
    """Print what is wrong with a map; returns the number of errors."""
    console = Console(highlight=False)
    for notice in town.notices:
        console.print(one_line(f"notice: {notice}"), style="yellow", markup=False, soft_wrap=True)
    problems = check_map(town)
    for problem in problems:
        place = "" if problem.position is None else f" at ({', '.join(f'{part:.1f}' for part in problem.position)})"
        line = f"{problem.severity.value}: {problem.file}: {problem.id}{place}: {problem.message}"
        console.print(one_line(line), style=_STYLE[problem.severity], markup=False, soft_wrap=True)
    found = Counter(problem.severity for problem in problems)
    counts = ", ".join(f"{found[severity]} {severity.value}" for severity in Severity)
    console.print(f"map {town.name}: {counts}", markup=False)
    return found[Severity.ERROR]


def plot_map(town: MGeoMap, out: Path, bounds: str | None, ids: bool) -> None:
    """Draw a map to a file.

    Raises:
        InputError: the file's ending or the bounds are not understood, or the file cannot be written.
    """
    try:
        import matplotlib  # noqa: F401 - to tell its absence from an error inside it
    except ModuleNotFoundError:
        cure = "install it with: .venv/bin/pip install 'dorosim[plot]' (or matplotlib)"
        raise InputError("map plot", "", "needs matplotlib, which is not part of the core", cure) from None
    from dorosim.road.drawing import draw_map

    if out.suffix not in (".png", ".svg"):
        raise InputError(str(out), "", f"files of type {out.suffix!r} cannot be drawn", "end the name in .png or .svg")
    figure = draw_map(town, bounds=None if bounds is None else _bounds(bounds), link_ids=ids)
    try:
        figure.savefig(out)
    except OSError as error:
        raise InputError(str(out), "", f"cannot be written: {error.strerror}", "give another place") from None


def _bounds(text: str) -> tuple[float, float, float, float]:
    try:
        x0, y0, x1, y1 = (float(part) for part in text.split(","))
    except ValueError:
        raise InputError("--bounds", "", f"{text!r} is not four numbers", "write it as --bounds=-50,0,50,80") from None
    if not (x0 < x1 and y0 < y1 and math.isfinite(x0 + y0 + x1 + y1)):
        raise InputError("--bounds", "", f"{text!r} is no rectangle", "give the lower left corner first")
    return x0, y0, x1, y1
