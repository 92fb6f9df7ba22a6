"""`dorosim sensor`: look at what sensors see, and at sensor set files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dorosim.app.cli import completion
from dorosim.app.cli.recording import DataOption

if TYPE_CHECKING:
    from dorosim.app.setting.settings import Settings

sensor_app = typer.Typer(help="Look through cameras and lidars; list sensor sets.", no_args_is_help=True)
SensorOption = Annotated[
    str,
    typer.Option(
        "--sensor",
        metavar="KIND|N",
        help="Kind, or number in the sensor set.",
        autocompletion=completion.sensor_kinds,
    ),
]
ConfigOption = Annotated[Path | None, typer.Option(metavar="dorosim.toml", help="Settings file; options override it.")]
MapOption = Annotated[
    str | None,
    typer.Option("--map", metavar="NAME|DIR", help="Map to look at; the town.", autocompletion=completion.maps),
]
SetOption = Annotated[
    str | None,
    typer.Option("--sensors", metavar="NAME|FILE", help="Sensor set.", autocompletion=completion.sensor_sets),
]
PoseOption = Annotated[str | None, typer.Option(metavar="X,Y,HEADING_DEG", help="Where the ego vehicle stands.")]
VehiclesOption = Annotated[
    int | None, typer.Option(metavar="N", help="NPC vehicles all over the map, as far as there is room; 60.")
]
PedestriansOption = Annotated[
    int | None, typer.Option(metavar="N", help="Pedestrians who cross the roads, as far as there is room; 20.")
]
AfterOption = Annotated[float, typer.Option(metavar="S", help="Simulated time that goes by before.")]
SeedOption = Annotated[int | None, typer.Option(metavar="N", help="Seed of all randomness; 1.")]


def _settings(
    config: Path | None,
    map_name: str | None,
    sensors: str | None,
    pose: str | None,
    vehicles: int | None,
    pedestrians: int | None,
    seed: int | None,
    data: Path | None,
) -> Settings:
    """The world to look at: a settings file's, or a town with people in it; options go over both."""
    from dorosim.app.setting.override import overridden, pose_from_text
    from dorosim.app.setting.settings import Settings, TrafficSettings, read_settings

    base = Settings(seed=1, traffic=TrafficSettings(60, 20)) if config is None else read_settings(config)
    top = {"map": map_name, "sensors": sensors, "seed": seed, "data": str(data) if data else None}
    ego = {"pose": None if pose is None else pose_from_text(pose)}
    return overridden(base, top, ego, {}, {"vehicles": vehicles, "pedestrians": pedestrians})


@sensor_app.command("shot")
def shot(
    sensor: SensorOption = "camera",
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="A .png or .jpg file.")] = Path("shot.png"),
    part: Annotated[
        str,
        typer.Option(
            metavar="PART",
            help="rgb, boxes, depth, semantic, instance, or all of them.",
            autocompletion=completion.words("rgb", "boxes", "depth", "semantic", "instance", "all"),
        ),
    ] = "all",
    config: ConfigOption = None,
    map_name: MapOption = None,
    sensors: SetOption = None,
    pose: PoseOption = None,
    vehicles: VehiclesOption = None,
    pedestrians: PedestriansOption = None,
    after: AfterOption = 6.0,
    seed: SeedOption = None,
    data: DataOption = None,
) -> None:
    """Take a picture: colours with boxes, depth, classes and instances."""
    from dorosim.app.run.report.progress import working
    from dorosim.app.serve.sensor.shot import PICTURES, shoot, write_picture
    from dorosim.app.store.picture_file import check_picture

    settings = _settings(config, map_name, sensors, pose, vehicles, pedestrians, seed, data)
    check_picture(out, *PICTURES)
    with working("taking the picture"):
        image = shoot(sensor, settings, after, part)
    write_picture(out, image)
    typer.echo(f"{out}: {image.shape[1]} x {image.shape[0]}")


@sensor_app.command("view")
def view(
    sensor: SensorOption = "lidar",
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="A .png or .svg file.")] = Path("lidar.png"),
    config: ConfigOption = None,
    map_name: MapOption = None,
    sensors: SetOption = None,
    pose: PoseOption = None,
    vehicles: VehiclesOption = None,
    pedestrians: PedestriansOption = None,
    after: AfterOption = 6.0,
    seed: SeedOption = None,
    data: DataOption = None,
) -> None:
    """Draw a turn of a lidar from above and as a range image. Needs the extra `plot`."""
    from dorosim.app.analyse.plot.lidar import plot_turn
    from dorosim.app.run.report.progress import working
    from dorosim.app.serve.sensor.shot import turn_of
    from dorosim.app.store.picture_file import DRAWINGS, check_drawing

    settings = _settings(config, map_name, sensors, pose, vehicles, pedestrians, seed, data)
    check_drawing(out, *DRAWINGS)
    with working("turning the lidar"):
        reading = turn_of(sensor, settings, after)
        plot_turn(reading, out)
    typer.echo(f"{out}: {len(reading.points()):,} points of {reading.setting.model}")


@sensor_app.command("ray")
def ray(
    start: Annotated[
        str | None, typer.Option("--from", metavar="X,Y,Z", help="From where; from the ego vehicle, through it.")
    ] = None,
    to: Annotated[str | None, typer.Option(metavar="X,Y,Z", help="To this point, and no farther than it.")] = None,
    direction: Annotated[str | None, typer.Option(metavar="X,Y,Z", help="Or into this direction.")] = None,
    far: Annotated[float | None, typer.Option(metavar="M", help="Where it ends; at --to, or after 1000 m.")] = None,
    through: Annotated[int, typer.Option(metavar="ACTOR", help="Pass through this actor.")] = 0,
    config: ConfigOption = None,
    map_name: MapOption = None,
    pose: PoseOption = None,
    vehicles: VehiclesOption = None,
    pedestrians: PedestriansOption = None,
    after: AfterOption = 6.0,
    seed: SeedOption = None,
    data: DataOption = None,
) -> None:
    """Cast a ray: how far away, where and what is it that it meets first? As JSON; all in the map frame, in m."""
    from dorosim.app.serve.sensor.ray import cast_from_text

    settings = _settings(config, map_name, None, pose, vehicles, pedestrians, seed, data)
    typer.echo(cast_from_text(settings, after, start, to, direction, far, through))


@sensor_app.command("list")
def list_sensors(
    sensors: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME|FILE]", help="A sensor set; none: all kinds.", autocompletion=completion.sensor_sets
        ),
    ] = None,
    data: DataOption = None,
) -> None:
    """Print what a sensor set holds and where its packets go, or which kinds of sensors there are."""
    from dorosim.app.serve.sensor.listing import list_kinds, list_set

    for line in list_kinds() if sensors is None else list_set(sensors, data):
        typer.echo(line)
