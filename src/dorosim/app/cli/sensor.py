"""`dorosim sensor`: look at what sensors see, and at sensor set files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from dorosim.app.settings import Settings

sensor_app = typer.Typer(help="Look through cameras and lidars; list sensor sets.", no_args_is_help=True)
SensorOption = Annotated[str, typer.Option("--sensor", metavar="KIND|N", help="Kind, or number in the sensor set.")]
MapOption = Annotated[str, typer.Option("--map", metavar="NAME|DIR", help="Map to look at.")]
SetOption = Annotated[str | None, typer.Option("--sensors", metavar="NAME|FILE", help="Sensor set.")]
PoseOption = Annotated[str | None, typer.Option(metavar="X,Y,HEADING_DEG", help="Where the ego vehicle stands.")]
VehiclesOption = Annotated[int, typer.Option(metavar="N", help="NPC vehicles all over the map.")]
PedestriansOption = Annotated[int, typer.Option(metavar="N", help="Pedestrians who cross the roads.")]
AfterOption = Annotated[float, typer.Option(metavar="S", help="Simulated time that goes by before.")]
SeedOption = Annotated[int, typer.Option(metavar="N", help="Seed of all randomness.")]
DataOption = Annotated[Path | None, typer.Option(metavar="DIR", help="Data folder.")]


def _settings(
    map_name: str, sensors: str | None, pose: str | None, vehicles: int, pedestrians: int, seed: int, data: Path | None
) -> Settings:
    from dorosim.app.override import overridden, pose_from_text
    from dorosim.app.settings import Settings

    top = {"map": map_name, "sensors": sensors, "seed": seed, "data": str(data) if data else None}
    ego = {"pose": None if pose is None else pose_from_text(pose)}
    return overridden(Settings(), top, ego, {}, {"vehicles": vehicles, "pedestrians": pedestrians})


@sensor_app.command("shot")
def shot(
    sensor: SensorOption = "camera",
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="A .png or .jpg file.")] = Path("shot.png"),
    part: Annotated[
        str, typer.Option(metavar="PART", help="rgb, boxes, depth, semantic, instance, or all of them.")
    ] = "all",
    map_name: MapOption = "town",
    sensors: SetOption = None,
    pose: PoseOption = None,
    vehicles: VehiclesOption = 60,
    pedestrians: PedestriansOption = 20,
    after: AfterOption = 6.0,
    seed: SeedOption = 1,
    data: DataOption = None,
) -> None:
    """Take a picture: colours with boxes, depth, classes and instances."""
    from dorosim.app.sensor_shot import shoot, write_picture

    image = shoot(sensor, _settings(map_name, sensors, pose, vehicles, pedestrians, seed, data), after, part)
    write_picture(out, image)
    typer.echo(f"{out}: {image.shape[1]} x {image.shape[0]}")


@sensor_app.command("view")
def view(
    sensor: SensorOption = "lidar",
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="A .png or .svg file.")] = Path("lidar.png"),
    map_name: MapOption = "town",
    sensors: SetOption = None,
    pose: PoseOption = None,
    vehicles: VehiclesOption = 60,
    pedestrians: PedestriansOption = 20,
    after: AfterOption = 6.0,
    seed: SeedOption = 1,
    data: DataOption = None,
) -> None:
    """Draw a turn of a lidar from above and as a range image. Needs the extra `plot`."""
    from dorosim.app.plot.lidar import plot_turn
    from dorosim.app.sensor_shot import turn_of

    reading = turn_of(sensor, _settings(map_name, sensors, pose, vehicles, pedestrians, seed, data), after)
    plot_turn(reading, out)
    typer.echo(f"{out}: {len(reading.points()):,} points of {reading.setting.model}")


@sensor_app.command("list")
def list_sensors(
    sensors: Annotated[str | None, typer.Argument(metavar="[NAME|FILE]", help="A sensor set; none: all kinds.")] = None,
    data: DataOption = None,
) -> None:
    """Say what a sensor set holds and where its packets go, or which kinds of sensors there are."""
    from dorosim.app.sensor_list import list_kinds, list_set

    for line in list_kinds() if sensors is None else list_set(sensors, data):
        typer.echo(line)
