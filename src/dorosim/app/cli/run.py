"""`dorosim run`: start the simulator."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dorosim.app.cli import completion, option, scenario_option, storyboard_option
from dorosim.app.cli.setting_origin import naming_origin
from dorosim.app.run.stop_signal import StopSignals

if TYPE_CHECKING:
    from dorosim.app.setting.choice import Chosen

_Options = dict[str, Any]

VehicleOption = Annotated[
    str | None, option.completed_option(completion.vehicles, "NAME", "Ego vehicle; a wrong name lists the right ones.")
]
LinkOption = Annotated[str | None, typer.Option(metavar="ID", help="Start at the beginning of this link instead.")]
DurationOption = Annotated[float | None, typer.Option(metavar="S", help="End after this many simulated seconds.")]
EpochOption = Annotated[
    float | None, typer.Option(metavar="S", help="Unix time of tick 0 in the stamps of messages; else the present.")
]
RecordOption = Annotated[Path | None, typer.Option(metavar="FILE", help="Record the run, for 'dorosim replay'.")]
FromOption = Annotated[Path | None, typer.Option("--from", metavar="SNAPSHOT", help="Go on from a snapshot file.")]
SaveSnapshotOption = Annotated[Path | None, typer.Option(metavar="FILE", help="Save a snapshot when the run ends.")]
SnapshotAtOption = Annotated[
    tuple[float, Path] | None,
    typer.Option(metavar="S FILE", help="Save a snapshot at this simulated time, too."),
]
ScenarioOption = Annotated[
    str | None,
    option.completed_option(
        completion.scenarios, "NAME|FILE", "Scenario to start with: a file, or a name in the data folder."
    ),
]
SaveScenarioOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Save the world as a scenario when the run ends.")
]
SaveSensorsOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Save the sensors as a sensor set when the run ends.")
]
VehiclesOption = Annotated[int | None, typer.Option(metavar="N", help="NPC vehicles all over the map.")]
PedestriansOption = Annotated[int | None, typer.Option(metavar="N", help="Pedestrians who cross the roads to and fro.")]
ViewOption = Annotated[bool | None, typer.Option("--view/--no-view", help="Whether there is a live page.")]
ViewAtOption = Annotated[
    str | None, typer.Option("--view-at", metavar="ADDRESS", help="Where the live page is, as 127.0.0.1:8080.")
]
RosServerOption = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS|off", help="Where rosbridge is served, as 127.0.0.1:9090, or off."),
]
RosBridgeOption = Annotated[
    str | None, typer.Option(metavar="URL", help="Connect to a rosbridge server instead, as ws://127.0.0.1:9090.")
]
BagOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Record the ROS topics to a .bag (ROS 1) or .mcap file.")
]
BagTopicsOption = Annotated[
    str | None, typer.Option(metavar="NAME,...", help="Record these only; * stands for anything, as in '/lidar*'.")
]
TcpStepOption = Annotated[
    str | None,
    typer.Option("--tcp-step", metavar="PORT|ADDRESS|off", help="Serve MORAI SIM 2's fixed step over TCP, as 20000."),
]
PortOffsetOption = Annotated[
    int | None, typer.Option(metavar="N", help="Add this to every port of every interface, sensors' too.")
]
PortsOption = Annotated[
    str | None,
    option.completed_option(
        completion.words("fixed", "auto"), "fixed|auto", "auto takes ports that no other program has."
    ),
]
VerboseOption = Annotated[
    bool, typer.Option("--verbose", "-v", help="Print all addresses at the start, also where each sensor sends.")
]
TableOption = Annotated[
    bool | None,
    typer.Option("--table/--no-table", help="Show rates while it runs, on a terminal.", show_default=False),
]
EventsOption = Annotated[
    bool,
    typer.Option("--json", help="Print events for machines: a line of JSON when it is ready, and one at the end."),
]


def run(
    ctx: typer.Context,
    map_name: Annotated[str | None, option.map_option(option.MAP_HELP)] = None,
    vehicle: VehicleOption = None,
    pose: option.PoseOption = None,
    link: LinkOption = None,
    revision: option.RevisionOption = None,
    network: option.NetworkOption = None,
    speed: option.SpeedOption = None,
    duration: DurationOption = None,
    seed: option.SeedOption = None,
    epoch: EpochOption = None,
    record: RecordOption = None,
    from_snapshot: FromOption = None,
    save_snapshot: SaveSnapshotOption = None,
    snapshot_at: SnapshotAtOption = None,
    scenario: ScenarioOption = None,
    param: scenario_option.ParamOption = None,
    ego: storyboard_option.EgoOption = None,
    ego_name: storyboard_option.EgoNameOption = None,
    lockstep: storyboard_option.LockstepOption = None,
    allow: scenario_option.AllowOption = None,
    save_scenario: SaveScenarioOption = None,
    sensors: option.SensorsOption = None,
    save_sensors: SaveSensorsOption = None,
    vehicles: VehiclesOption = None,
    pedestrians: PedestriansOption = None,
    weather: option.WeatherOption = None,
    time_of_day: option.TimeOfDayOption = None,
    rain: option.RainOption = None,
    visibility: option.VisibilityOption = None,
    friction: option.FrictionOption = None,
    view: ViewOption = None,
    view_at: ViewAtOption = None,
    grpc: option.GrpcOption = None,
    ros_server: RosServerOption = None,
    ros_bridge: RosBridgeOption = None,
    ros_master: option.RosMasterOption = None,
    tcp_step: TcpStepOption = None,
    bag: BagOption = None,
    bag_topics: BagTopicsOption = None,
    port_offset: PortOffsetOption = None,
    ports: PortsOption = None,
    config: option.ConfigOption = None,
    data: option.DataOption = None,
    quiet: option.QuietRunOption = False,
    verbose: VerboseOption = False,
    table: TableOption = None,
    json: EventsOption = False,
) -> None:
    """Start the simulator and serve its interfaces until Ctrl-C.

    The ego vehicle stands, held, in gear D and auto mode until the first command arrives. While it runs, drive it with
    any client written for MORAI SIM's UDP, gRPC or ROS interface, for instance examples/drive_lap.py.

    As JSON: {event: "ready", run, run_id, port_offset, map, egos, listen, sends, takes, sensors, interfaces, notices,
    ...} when all interfaces can be reached, with the ports that were taken, once for each run of the program; and
    {event: "end", ticks, simulated_s, real_time_factor, resets, sent, received, bad, dropped, unread, grpc_calls, ros,
    files, ...} of all of them.
    """
    options = dict(locals())  # by the names of the parameters; each stands for a setting
    if ctx.obj is not None:
        ctx.obj(_combined(options))  # `dorosim config show` asks what would count
        return
    with StopSignals() as signals:
        from dorosim.app.run.run import OutputMode, run_simulator

        chosen = _combined(options)
        with naming_origin(chosen.options, chosen.base.file or None):
            run_simulator(chosen.settings, signals, chosen.given, chosen.notes, OutputMode(quiet, json, verbose))


def _storyboard_values(options: _Options, known: dict[str, str]) -> _Options:
    """The settings of a scenario of OpenSCENARIO, by key, None where they were not given.

    Args:
        options: by the names of the parameters of `run`.
        known: parameters that the settings file gives.

    Raises:
        InputError: an option cannot be understood.
    """
    param, ego, allow = options["param"], options["ego"], options["allow"]
    values = {
        "parameters": {**known, **scenario_option.parameters_of(param)} if param else None,
        "ego": None if ego is None else storyboard_option.ego_from_text(ego),
        "ego_name": options["ego_name"],
        "lockstep": options["lockstep"],
        "allow": tuple(map(str, allow)) if allow else None,
    }
    return {f"storyboard.{name}": value for name, value in values.items()}


_TOP = (
    *("speed", "duration", "seed", "epoch", "record", "from_snapshot", "save_snapshot", "scenario", "save_scenario"),
    *("sensors", "save_sensors", "data", "grpc", "tcp_step", "table", "port_offset", "ports"),
)
"""Options that stand for the setting of their name."""
_TABLES = {
    "ego": ("vehicle", "pose", "link"),
    "udp": ("revision", "network"),
    "traffic": ("vehicles", "pedestrians"),
    "environment": ("weather", "time_of_day", "rain", "visibility", "friction"),
}
"""Options that stand for the setting of their name in a table."""


def _combined(options: _Options) -> Chosen:
    """The settings as the user chose them.

    Args:
        options: by the names of the parameters of `run`, None where they were not given.

    Raises:
        InputError: the file or an option cannot be used.
    """
    from dorosim.app.setting.choice import USUAL, base_settings
    from dorosim.app.setting.override import bag_from_options, chosen_by, view_from_options

    with naming_origin((), options["config"] or USUAL):
        file = base_settings(options["config"])
    base, at, view_at = file.settings, options["snapshot_at"], options["view_at"]
    by_key = {name: options[name] for name in _TOP}
    by_key |= {f"{table}.{name}": options[name] for table, names in _TABLES.items() for name in names}
    by_key |= {f"ros.{name}": options[f"ros_{name}"] for name in ("server", "bridge", "master")}
    by_key |= _storyboard_values(options, base.storyboard.parameters)
    by_key |= {
        "map": options["map_name"],
        "snapshot_at": None if at is None else ((at[0], str(at[1])),),
        "view": view_from_options(base.view, options["view"], view_at),
        "ros.bag": bag_from_options(base.ros.bag, options["bag"], options["bag_topics"]),
    }
    chosen = chosen_by(by_key, file)
    return chosen if view_at is None else chosen._replace(options={*chosen.options, "view.address"})
