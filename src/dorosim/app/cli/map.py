"""`dorosim map`: make, describe, check, draw and convert maps."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dorosim.app.cli import completion
from dorosim.app.cli.exit_code import ExitCode
from dorosim.app.cli.option import DataOption, JsonOption, completed_argument, completed_option
from dorosim.app.run.report.json_output import show_facts
from dorosim.app.setting.seed import USUAL_SEED
from dorosim.ground.error import InputError

if TYPE_CHECKING:
    from dorosim.road.mgeo.record import MGeoMap

map_app = typer.Typer(
    help="Make, describe, check, draw and convert HD maps (MGeo, OpenDRIVE, Lanelet2).", no_args_is_help=True
)
NameArgument = Annotated[
    str,
    completed_argument(
        completion.maps,
        "NAME|DIR",
        "A built-in map ('town', 'village', 'motorway'), one of the data folder, a folder, a .zip, .xodr or .osm file.",
    ),
]


MAP_KINDS = ("town", "motorway")
"""What `dorosim map generate` makes."""


@map_app.command("generate")
def generate(
    out: Annotated[Path, typer.Argument(metavar="DIR", help="Folder for the MGeo files, or a .zip file.")],
    kind: Annotated[
        str, completed_option(completion.words(*MAP_KINDS), "town|motorway", "What: a town, or a motorway.")
    ] = "town",
    seed: Annotated[int, typer.Option(metavar="N", help="The same seed and size make the same town.")] = USUAL_SEED,
    size: Annotated[
        str, completed_option(completion.words("small", "default", "large"), "small|default|large", "How large.")
    ] = "default",
) -> None:
    """Make a map.

    A town has signalised intersections, a ring road with ramps, slopes and a parking lot. A motorway has 10 km of three
    lanes in each direction and three interchanges; it is always the same, whatever seed and size.
    """
    from dorosim.app.analyse.map_file import write_map
    from dorosim.app.run.report.progress import working
    from dorosim.mapmaking.motorway import generate_motorway
    from dorosim.mapmaking.plan import Size
    from dorosim.mapmaking.town import generate_town

    try:
        chosen = Size(size)
    except ValueError:
        raise InputError("--size", "", f"there is no size {size!r}", f"use {', '.join(Size)}") from None
    if seed < 0:
        raise InputError("--seed", "", f"{seed} is negative", "give 0 or more")
    if kind not in MAP_KINDS:
        raise InputError("--kind", "", f"there is no kind {kind!r}", f"use {', '.join(MAP_KINDS)}")
    with working("building a motorway" if kind == "motorway" else f"building a {chosen} town"):
        town = generate_motorway(out.stem) if kind == "motorway" else generate_town(seed, chosen, out.stem)
        write_map(out, town)
    typer.echo(f"{out}: {len(town.links)} links, {len(town.traffic_lights)} lights; see 'dorosim map plot {out}'")


@map_app.command("info")
def info(name: NameArgument, data: DataOption = None, json: JsonOption = False) -> None:
    """Describe a map: version, projection, extent, lanes, lights.

    As JSON: {name, source, format, version, traffic_dir, projection, origin, centre_deg, extent_m, counts, ...}.
    """
    from dorosim.app.analyse.map_file import map_facts, print_map

    facts = map_facts(*_load(name, data))
    show_facts(facts, print_map, json=json)


@map_app.command("check")
def check(name: NameArgument, data: DataOption = None, json: JsonOption = False) -> None:
    """Find dangling ids, gaps, reversed links and the like, each with its place.

    Of an OpenDRIVE (.xodr) or Lanelet2 (.osm) file it also counts what is not used.

    Exit status 1 if the map has errors; warnings and information do not count. As JSON: {map, notices, errors,
    problems: [{severity, file, id, position, message}]}.
    """
    from dorosim.app.analyse.map_file import check_facts, check_opendrive_facts, print_check
    from dorosim.app.store.opendrive_file import is_opendrive, read_opendrive_file

    if is_opendrive(name):
        found = check_opendrive_facts(read_opendrive_file(Path(name)))
    else:
        found = check_facts(*_load(name, data))
    show_facts(found, print_check, json=json)
    raise typer.Exit(ExitCode.FOUND if found["errors"] else ExitCode.OK)


@map_app.command("plot")
def plot(
    name: NameArgument,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="A .png or .svg file.")] = Path("map.png"),
    bounds: Annotated[
        str | None,
        typer.Option(metavar="X0,Y0,X1,Y1", help="Only this part of the map, in metres: --bounds=-50,0,50,80."),
    ] = None,
    ids: Annotated[bool, typer.Option("--ids", help="Write the ids of the links.")] = False,
    data: DataOption = None,
) -> None:
    """Draw a map to PNG or SVG."""
    from dorosim.app.analyse.map_file import plot_map
    from dorosim.app.store.picture_file import DRAWINGS, check_drawing

    check_drawing(out, *DRAWINGS)
    _, town = _load(name, data)
    plot_map(town, out, bounds, ids)
    typer.echo(f"{out}: {town.name}")


@map_app.command("lanes")
def lanes(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="An OpenDRIVE file (.xodr).")],
    csv: Annotated[Path, typer.Option("--csv", metavar="FILE", help="The .csv file to write.")],
    step: Annotated[
        float, typer.Option(metavar="M", help="Least distance of two places along a road, in metres.")
    ] = 5.0,
) -> None:
    """Write the middle of every lane of an OpenDRIVE file, as a table.

    Columns: road, lane, s, lane_type, width, x, y, z, h, p, r, curvature. Places are evenly spaced along each road.
    h, p and r are heading, pitch and roll in the direction of driving, in rad from 0 to 2 pi. lane_type is the number
    that esmini has for it.
    """
    from dorosim.app.analyse.lane_table import show_left_out, write_lane_table
    from dorosim.app.store.opendrive_file import read_opendrive_file

    town = read_opendrive_file(file)
    rows = write_lane_table(town, step, csv)
    show_left_out(town)
    typer.echo(f"{csv}: {rows} rows of {len(town.roads)} roads")


@map_app.command("convert")
def convert(
    name: NameArgument,
    out: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="The file to write: .xodr (OpenDRIVE), .osm (Lanelet2) or .zip (MGeo)."),
    ],
    data: DataOption = None,
) -> None:
    """Write a map as OpenDRIVE 1.8, as Lanelet2 with Autoware's tags, or as MGeo 2.9.

    In OpenDRIVE links beside each other become lanes of one road, links through intersections roads of junctions; in
    Lanelet2 each link becomes a lanelet, which has its bounds in common with those beside it. Lights, stop lines,
    signs, crosswalks, parking spaces, painted lines, speed limits and the projection are written too. The ids of links
    and the programmes of lights are kept in a form that other programs pass over; dorosim makes the same map of the
    file again. A map that is an .xodr file keeps its own roads in OpenDRIVE, and all that dorosim reads of it.
    """
    from rich.console import Console

    from dorosim.app.analyse.map_convert import convert_map
    from dorosim.app.run.report.console import print_notices
    from dorosim.app.store.folder import data_folder

    words, left_out = convert_map(name, data_folder(str(data) if data else None), out)
    print_notices(Console(stderr=True, highlight=False), left_out)
    typer.echo(words)


def _load(name: str, data: Path | None) -> tuple[str, MGeoMap]:
    """Where a map lies, and its records."""
    from dorosim.app.store.folder import data_folder
    from dorosim.app.store.map import read_map_files, read_records

    files = read_map_files(name, data_folder(str(data) if data else None))
    return files.source, read_records(files)
