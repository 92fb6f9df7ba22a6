"""`dorosim map`: make, describe, check and draw maps."""

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

map_app = typer.Typer(help="Make, describe, check and draw HD maps (MGeo).", no_args_is_help=True)
NameArgument = Annotated[
    str,
    completed_argument(
        completion.maps,
        "NAME|DIR",
        "A built-in map ('town', 'village', 'motorway'), one of the data folder, a folder or a zip file.",
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

    As JSON: {name, source, version, traffic_dir, projection, origin, centre_deg, extent_m, counts, ...}.
    """
    from dorosim.app.analyse.map_file import map_facts, print_map

    facts = map_facts(*_load(name, data))
    show_facts(facts, print_map, json=json)


@map_app.command("check")
def check(name: NameArgument, data: DataOption = None, json: JsonOption = False) -> None:
    """Find dangling ids, gaps, reversed links and the like, each with its place.

    Exit status 1 if the map has errors; warnings and information do not count. As JSON: {map, notices, errors,
    problems: [{severity, file, id, position, message}]}.
    """
    from dorosim.app.analyse.map_file import check_facts, print_check

    _, town = _load(name, data)
    found = check_facts(town)
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


def _load(name: str, data: Path | None) -> tuple[str, MGeoMap]:
    """Where a map lies, and its records."""
    from dorosim.app.store.folder import data_folder
    from dorosim.app.store.map import read_map_files, read_records

    files = read_map_files(name, data_folder(str(data) if data else None))
    return files.source, read_records(files)
