"""`dorosim run`: start the simulator."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dorosim.app.cli import completion
from dorosim.app.run.stop_signal import StopSignals

if TYPE_CHECKING:
    from dorosim.app.setting.choice import Chosen

_Options = dict[str, Any]

MapOption = Annotated[
    str | None,
    typer.Option(
        "--map",
        metavar="NAME|DIR",
        help="Built-in 'town', a map of the data folder, or a folder.",
        autocompletion=completion.maps,
    ),
]
VehicleOption = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="Ego vehicle; a wrong name lists the right ones.", autocompletion=completion.vehicles
    ),
]
PoseOption = Annotated[
    str | None, typer.Option(metavar="X,Y,HEADING_DEG", help="Start pose: rear axle in the map (m, m, deg).")
]
LinkOption = Annotated[str | None, typer.Option(metavar="ID", help="Start at the beginning of this link instead.")]
RevisionOption = Annotated[
    str | None,
    typer.Option(
        metavar="R",
        help="Product revision: 22.R1, 24.R1, 24.R2, 25.S4 or 26.R1.",
        autocompletion=completion.revisions,
    ),
]
NetworkOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Network settings: dorosim's .toml, or .json as MORAI SIM saves it."),
]
SpeedOption = Annotated[
    str | None,
    typer.Option(
        metavar="realtime|max|FACTOR",
        help="Pace of the simulation.",
        autocompletion=completion.words("realtime", "max"),
    ),
]
DurationOption = Annotated[float | None, typer.Option(metavar="S", help="End after this many simulated seconds.")]
SeedOption = Annotated[int | None, typer.Option(metavar="N", help="Seed of all randomness.")]
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
    typer.Option(
        metavar="NAME|FILE",
        help="Scenario to start with: a file, or a name in the data folder.",
        autocompletion=completion.scenarios,
    ),
]
SaveScenarioOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Save the world as a scenario when the run ends.")
]
SensorsOption = Annotated[
    str | None,
    typer.Option(
        metavar="NAME|FILE",
        help="Sensor set: a file as MORAI SIM saves it, or a name in the data folder.",
        autocompletion=completion.sensor_sets,
    ),
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
GrpcOption = Annotated[
    str | None, typer.Option("--grpc", metavar="ADDRESS|off", help="Where gRPC is served, as 127.0.0.1:7789, or off.")
]
RosServerOption = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS|off", help="Where rosbridge is served, as 127.0.0.1:9090, or off."),
]
RosBridgeOption = Annotated[
    str | None, typer.Option(metavar="URL", help="Connect to a rosbridge server instead, as ws://127.0.0.1:9090.")
]
RosMasterOption = Annotated[
    str | None,
    typer.Option("--ros-master", metavar="URL", help="ROS 1 master to join as a node, as http://127.0.0.1:11311."),
]
BagOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Record the ROS topics to a .bag (ROS 1) or .mcap file.")
]
BagTopicsOption = Annotated[
    str | None, typer.Option(metavar="NAME,...", help="Record these only; * stands for anything, as in '/lidar*'.")
]
ConfigOption = Annotated[Path | None, typer.Option(metavar="dorosim.toml", help="Settings file; options override it.")]
DataOption = Annotated[Path | None, typer.Option(metavar="DIR", help="Data folder: Map/, Scenario/, Network/, ...")]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="Print errors and the exit summary only.")]
VerboseOption = Annotated[bool, typer.Option("--verbose", "-v", help="Say at the start where each sensor sends, too.")]
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
    map_name: MapOption = None,
    vehicle: VehicleOption = None,
    pose: PoseOption = None,
    link: LinkOption = None,
    revision: RevisionOption = None,
    network: NetworkOption = None,
    speed: SpeedOption = None,
    duration: DurationOption = None,
    seed: SeedOption = None,
    epoch: EpochOption = None,
    record: RecordOption = None,
    from_snapshot: FromOption = None,
    save_snapshot: SaveSnapshotOption = None,
    snapshot_at: SnapshotAtOption = None,
    scenario: ScenarioOption = None,
    save_scenario: SaveScenarioOption = None,
    sensors: SensorsOption = None,
    save_sensors: SaveSensorsOption = None,
    vehicles: VehiclesOption = None,
    pedestrians: PedestriansOption = None,
    view: ViewOption = None,
    view_at: ViewAtOption = None,
    grpc: GrpcOption = None,
    ros_server: RosServerOption = None,
    ros_bridge: RosBridgeOption = None,
    ros_master: RosMasterOption = None,
    bag: BagOption = None,
    bag_topics: BagTopicsOption = None,
    config: ConfigOption = None,
    data: DataOption = None,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
    table: TableOption = None,
    json: EventsOption = False,
) -> None:
    """Start the simulator and serve its interfaces until Ctrl-C.

    The ego vehicle stands, held, in gear D and auto mode until the first command arrives. While it runs, drive it with
    any client written for MORAI SIM's UDP, gRPC or ROS interface, for instance examples/drive_lap.py.

    As JSON: {event: "ready", run, map, egos, listen, sends, takes, sensors, interfaces, notices, ...} when all
    interfaces can be reached, with the ports that were taken, once for each run of the program; and {event: "end",
    ticks, simulated_s, real_time_factor, resets, sent, received, bad, dropped, unread, grpc_calls, ros, files, ...} of
    all of them.
    """
    options = dict(locals())  # by the names of the parameters; each stands for a setting
    if ctx.obj is not None:
        ctx.obj(_combined(options))  # `dorosim config show` asks what would count
        return
    with StopSignals() as signals:
        from dorosim.app.run.run import OutputMode, run_simulator

        chosen = _combined(options)
        run_simulator(chosen.settings, signals, chosen.given, chosen.notes, OutputMode(quiet, json, verbose))


_TOP = (
    *("speed", "duration", "seed", "epoch", "record", "from_snapshot", "save_snapshot", "snapshot_at", "scenario"),
    *("save_scenario", "sensors", "save_sensors", "data", "grpc", "table"),
)
"""Options that stand for the setting of their name."""


def _combined(options: _Options) -> Chosen:
    """The settings as the user chose them.

    Args:
        options: by the names of the parameters of `run`, None where they were not given.

    Raises:
        InputError: the file or an option cannot be used.
    """
    from dorosim.app.setting.choice import Chosen, base_settings
    from dorosim.app.setting.override import (
        bag_from_options,
        given_options,
        grpc_from_text,
        overridden,
        pose_from_text,
        speed_from_text,
        view_from_options,
        without_beginning,
    )

    file = base_settings(options["config"])
    base = file.settings
    value: _Options = {name: str(one) if isinstance(one, Path) else one for name, one in options.items()}
    top = {name: value[name] for name in _TOP} | {"map": value["map_name"]}
    ego = {name: value[name] for name in ("vehicle", "pose", "link")}
    udp = {name: value[name] for name in ("revision", "network")}
    crowd = {name: value[name] for name in ("vehicles", "pedestrians")}
    ros = {name: value[f"ros_{name}"] for name in ("server", "bridge", "master")}
    if top["snapshot_at"] is not None:
        time, path = top["snapshot_at"]
        top["snapshot_at"] = ((time, str(path)),)
    if top["speed"] is not None:
        top["speed"] = speed_from_text(top["speed"])
    if ego["pose"] is not None:
        ego["pose"] = pose_from_text(ego["pose"])
    top["view"] = view_from_options(base.view, value["view"], value["view_at"])
    if top["grpc"] is not None:
        top["grpc"] = grpc_from_text(top["grpc"], base.grpc)
    ros["bag"] = bag_from_options(base.ros.bag, value["bag"], value["bag_topics"])
    if top["from_snapshot"] is not None or base.from_snapshot is not None:
        base = without_beginning(base)
    given = given_options(top, ego, udp, ros, crowd) | ({"view.address"} if value["view_at"] is not None else set())
    return Chosen(overridden(base, top, ego, udp, crowd, ros), file, given)
