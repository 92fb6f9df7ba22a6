"""`dorosim sensor`: look at what sensors see, and at sensor set files."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from dorosim.app.cli import completion
from dorosim.app.cli.option import (
    ConfigOption,
    DataOption,
    FrictionOption,
    RainOption,
    SeedOption,
    TimeOfDayOption,
    VisibilityOption,
    WeatherOption,
    completed_argument,
    completed_option,
    map_option,
)
from dorosim.app.cli.setting_origin import naming_origin

if TYPE_CHECKING:
    from dorosim.app.setting.settings import Settings

sensor_app = typer.Typer(help="Look through cameras and lidars; list sensor sets.", no_args_is_help=True)
SensorOption = Annotated[
    str, completed_option(completion.sensor_kinds, "KIND|N", "Kind, or number in the sensor set.", "--sensor")
]
SetOption = Annotated[str | None, completed_option(completion.sensor_sets, "NAME|FILE", "Sensor set.", "--sensors")]
PoseOption = Annotated[str | None, typer.Option(metavar="X,Y,HEADING_DEG", help="Where the ego vehicle stands.")]
VehiclesOption = Annotated[
    int | None, typer.Option(metavar="N", help="NPC vehicles all over the map, as far as there is room; 60.")
]
PedestriansOption = Annotated[
    int | None, typer.Option(metavar="N", help="Pedestrians who cross the roads, as far as there is room; 20.")
]
AfterOption = Annotated[float, typer.Option(metavar="S", help="Simulated time that goes by before.")]


class World(NamedTuple):
    """The world to look at, the simulated time that goes by before [s], and places of settings that options gave."""

    settings: Settings
    after: float
    options: frozenset[str] = frozenset()


def world_of_options(
    config: ConfigOption = None,
    map_name: Annotated[str | None, map_option("Map to look at; the town.")] = None,
    sensors: SetOption = None,
    pose: PoseOption = None,
    vehicles: VehiclesOption = None,
    pedestrians: PedestriansOption = None,
    weather: WeatherOption = None,
    time_of_day: TimeOfDayOption = None,
    rain: RainOption = None,
    visibility: VisibilityOption = None,
    friction: FrictionOption = None,
    after: AfterOption = 6.0,
    seed: SeedOption = None,
    data: DataOption = None,
) -> World:
    """The world to look at: a settings file's, or a town with people in it; options go over both."""
    from dorosim.app.setting.override import given_options, option_values, overridden
    from dorosim.app.setting.settings import Settings, TrafficSettings, read_settings

    base = Settings(traffic=TrafficSettings(60, 20)) if config is None else read_settings(config)
    options = {"map": map_name, "sensors": sensors, "seed": seed, "data": data, "ego.pose": pose}
    people = {"traffic.vehicles": vehicles, "traffic.pedestrians": pedestrians}
    sky = {"weather": weather, "time_of_day": time_of_day, "rain": rain, "visibility": visibility, "friction": friction}
    sky = {f"environment.{key}": value for key, value in sky.items()}
    values = option_values(options | people | sky, base)
    return World(overridden(base, values), after, given_options(values))


def _looks(*without: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Gives a command, whose first argument is the `World`, the options of `world_of_options` after its own.

    Args:
        without: options that it does not have.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        options = [
            one for one in signature(world_of_options, eval_str=True).parameters.values() if one.name not in without
        ]
        names = {one.name for one in options}

        @wraps(command)
        def run(**given: Any) -> None:
            config = given.get("config")
            with naming_origin((), config):
                world = world_of_options(**{name: given.pop(name) for name in names})
            with naming_origin(world.options, config):
                command(world, **given)

        own = list(signature(command, eval_str=True).parameters.values())[1:]
        run.__dict__["__signature__"] = Signature([*own, *options])
        run.__annotations__ = {one.name: one.annotation for one in (*own, *options)}
        return run

    return decorate


@sensor_app.command("shot")
@_looks()
def shot(
    world: World,
    sensor: SensorOption = "camera",
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="A .png or .jpg file.")] = Path("shot.png"),
    part: Annotated[
        str,
        completed_option(
            completion.words("rgb", "boxes", "depth", "semantic", "instance", "all"),
            "PART",
            "rgb, boxes, depth, semantic, instance, or all of them.",
        ),
    ] = "all",
) -> None:
    """Take a picture: colours with boxes, depth, classes and instances."""
    from dorosim.app.run.report.progress import working
    from dorosim.app.serve.sensor.shot import PICTURES, shoot, write_picture
    from dorosim.app.store.picture_file import check_picture

    check_picture(out, *PICTURES)
    with working("taking the picture"):
        image = shoot(sensor, world.settings, world.after, part)
    write_picture(out, image)
    typer.echo(f"{out}: {image.shape[1]} x {image.shape[0]}")


@sensor_app.command("view")
@_looks()
def view(
    world: World,
    sensor: SensorOption = "lidar",
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="A .png or .svg file.")] = Path("lidar.png"),
) -> None:
    """Draw a turn of a lidar from above and as a range image. Needs the extra `plot`."""
    from dorosim.app.analyse.plot.lidar import plot_turn
    from dorosim.app.run.report.progress import working
    from dorosim.app.serve.sensor.shot import turn_of
    from dorosim.app.store.picture_file import DRAWINGS, check_drawing

    check_drawing(out, *DRAWINGS)
    with working("turning the lidar"):
        reading = turn_of(sensor, world.settings, world.after)
        plot_turn(reading, out)
    typer.echo(f"{out}: {len(reading.points()):,} points of {reading.setting.model}")


@sensor_app.command("ray")
@_looks("sensors")
def ray(
    world: World,
    start: Annotated[
        str | None, typer.Option("--from", metavar="X,Y,Z", help="From where; from the ego vehicle, through it.")
    ] = None,
    to: Annotated[str | None, typer.Option(metavar="X,Y,Z", help="To this point, and no farther than it.")] = None,
    direction: Annotated[str | None, typer.Option(metavar="X,Y,Z", help="Or into this direction.")] = None,
    far: Annotated[float | None, typer.Option(metavar="M", help="Where it ends; at --to, or after 1000 m.")] = None,
    through: Annotated[int, typer.Option(metavar="ACTOR", help="Pass through this actor.")] = 0,
) -> None:
    """Cast a ray: how far away, where and what is it that it meets first? As JSON; all in the map frame, in m."""
    from dorosim.app.serve.sensor.ray import cast_from_text

    typer.echo(cast_from_text(world.settings, world.after, start, to, direction, far, through))


@sensor_app.command("list")
def list_sensors(
    sensors: Annotated[
        str | None, completed_argument(completion.sensor_sets, "[NAME|FILE]", "A sensor set; none: all kinds.")
    ] = None,
    data: DataOption = None,
) -> None:
    """Print what a sensor set holds and where its packets go, or which kinds of sensors there are."""
    from dorosim.app.serve.sensor.listing import list_kinds, list_set

    for line in list_kinds() if sensors is None else list_set(sensors, data):
        typer.echo(line)
