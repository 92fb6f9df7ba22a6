"""Options that several commands have."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from dorosim.app.cli import completion

Offer = Callable[..., list[str]]
"""Returns what a shell offers for a value."""


def completed_option(offer: Offer, metavar: str, text: str, *names: str) -> Any:
    """An option whose values a shell completes, with its text for `--help`; without names it has its parameter's."""
    return typer.Option(*names, metavar=metavar, help=text, autocompletion=offer)


def completed_argument(offer: Offer, metavar: str, text: str) -> Any:
    """An argument whose values a shell completes, with its text for `--help`."""
    return typer.Argument(metavar=metavar, help=text, autocompletion=offer)


def map_option(text: str) -> Any:
    """The option of a map, with its text for `--help`."""
    return completed_option(completion.maps, "NAME|DIR", text, "--map")


MAP_HELP = "Built-in 'town', 'village' or 'motorway', a map of the data folder, a folder, or an .xodr or .osm file."
MovedMapOption = Annotated[
    str | None, typer.Option("--map", metavar="NAME|DIR", help="Where the map is now, if it has moved since.")
]
PoseOption = Annotated[
    str | None, typer.Option(metavar="X,Y,HEADING_DEG", help="Start pose: rear axle in the map (m, m, deg).")
]
WeatherOption = Annotated[
    str | None,
    completed_option(
        completion.words("sunny", "cloudy", "foggy", "storm", "rainy", "snowy"),
        "KIND",
        "sunny, cloudy, foggy, storm, rainy or snowy.",
        "--weather",
    ),
]
TimeOfDayOption = Annotated[float | None, typer.Option(metavar="HOURS", help="Hours after midnight, as 18.5.")]
RainOption = Annotated[
    float | None, typer.Option(metavar="MM/H", help="Rain in place of that of the weather, as 25; 0 for none.")
]
VisibilityOption = Annotated[
    float | None, typer.Option(metavar="M", help="How far one sees, in place of that of the weather.")
]
FrictionOption = Annotated[
    float | None, typer.Option(metavar="FACTOR", help="Friction of all roads over that of dry asphalt, as 0.3.")
]
SeedOption = Annotated[int | None, typer.Option(metavar="N", help="Seed of all randomness; 0.")]
NetworkOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Network settings: dorosim's .toml, or .json as MORAI SIM saves it."),
]
SpeedOption = Annotated[
    str | None, completed_option(completion.words("realtime", "max"), "realtime|max|FACTOR", "Pace of the simulation.")
]
SensorsOption = Annotated[
    str | None,
    completed_option(
        completion.sensor_sets, "NAME|FILE", "Sensor set: a file as MORAI SIM saves it, or a name in the data folder."
    ),
]
GrpcOption = Annotated[
    str | None, typer.Option("--grpc", metavar="ADDRESS|off", help="Where gRPC is served, as 127.0.0.1:7789, or off.")
]
RevisionOption = Annotated[
    str | None,
    completed_option(completion.revisions, "R", "Product revision: 22.R1, 24.R1, 24.R2, 25.S4 or 26.R1."),
]
RosMasterOption = Annotated[
    str | None,
    typer.Option("--ros-master", metavar="URL", help="ROS 1 master to join as a node, as http://127.0.0.1:11311."),
]
ConfigOption = Annotated[Path | None, typer.Option(metavar="dorosim.toml", help="Settings file; options override it.")]
DataOption = Annotated[Path | None, typer.Option(metavar="DIR", help="Data folder: Map/, Scenario/, Network/, ...")]
BeginOption = Annotated[float | None, typer.Option("--from", metavar="S", help="Simulated time to begin at.")]
EndOption = Annotated[float | None, typer.Option("--to", metavar="S", help="Simulated time to end at.")]
PartOption = Annotated[int | None, typer.Option(metavar="N", help="Part of a run that was reset, from 1; the longest.")]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.")]
QuietRunOption = Annotated[bool, typer.Option("--quiet", "-q", help="Print errors and the exit summary only.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, one line, for machines.")]
ForceOption = Annotated[bool, typer.Option("--force", help="Write over files that differ.")]
