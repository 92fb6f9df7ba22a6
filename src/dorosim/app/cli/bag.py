"""`dorosim bag`: bags of ROS messages."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dorosim.app.cli import completion, option
from dorosim.app.run.report.json_output import print_json
from dorosim.app.run.stop_signal import StopSignals

bag_app = typer.Typer(
    help="Make, look into, mend and replay bags of ROS messages: ROS 1 bags (.bag) and MCAP files (.mcap).",
    no_args_is_help=True,
)
BagArgument = Annotated[Path, typer.Argument(metavar="BAG", help="A ROS 1 bag (.bag) or an MCAP file (.mcap).")]
KeptBagArgument = Annotated[
    str,
    option.completed_argument(completion.bags, "BAG", "A bag, or the name of one in Recording/ of the data folder."),
]


@bag_app.command("record")
def record(
    recording: Annotated[Path, typer.Argument(help="A recording, as 'dorosim run --record FILE' wrote it.")],
    bag: Annotated[Path, typer.Argument(metavar="BAG", help="The bag to write, .bag or .mcap; it is replaced.")],
    topics: Annotated[
        str | None, typer.Option(metavar="NAME,...", help="These only; * stands for anything, as in '/Ego*'.")
    ] = None,
    generation: Annotated[
        str | None,
        option.completed_option(
            completion.words("2022", "2024", "24.r2", "26.r1"),
            "G",
            "Of morai_msgs: 2022, 2024 (the default), 24.r2 or 26.r1.",
        ),
    ] = None,
    map_name: option.MovedMapOption = None,
    data: option.DataOption = None,
) -> None:
    """Run a recording again, as fast as possible, and write the messages of its ROS topics to a bag.

    Sensors are not read then. To record a run while it goes on, sensors included, use 'dorosim run --bag FILE', or
    'rosbag record' of ROS.
    """
    from dorosim.app.analyse.bag.record import record_bag
    from dorosim.app.setting.override import names_from_text

    typer.echo(record_bag(recording, bag, names_from_text(topics or ""), generation, map_name, data))


@bag_app.command("info")
def info(bag: BagArgument, json: option.JsonOption = False) -> None:
    """Print what is in a bag: time, topics, types, messages, and whether it is whole.

    As JSON: {file, kind, bytes, begins_ns, ends_ns, whole, flaw, unread_bytes, topics: [{name, messages, type, md5}]}.
    """
    from dorosim.app.analyse.bag.file import info_lines, info_of

    facts = info_of(bag)
    if json:
        print_json(facts)
        return
    for line in info_lines(facts):
        typer.echo(line)


@bag_app.command("repair")
def repair(
    bag: BagArgument,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the mended bag there, and leave the other as it is.")
    ] = None,
) -> None:
    """Mend a bag that is not whole since its recording was killed or its end is damaged.

    All messages that can be read are kept. The damaged file stays beside it as NAME.orig.bag, or as NAME.orig2.bag and
    so on where there is one.
    """
    from dorosim.app.analyse.bag.file import repair_file

    typer.echo(repair_file(bag, out))


@bag_app.command("replay")
def replay(
    bag: KeptBagArgument,
    map_name: Annotated[str | None, option.map_option("Map that it was recorded on; bags do not say it.")] = None,
    targets: Annotated[
        str, typer.Option(metavar="WHO,...", help="Who moves as recorded: ego, npc (with obstacles), pedestrian.")
    ] = "ego,npc,pedestrian",
    start: Annotated[float, typer.Option(metavar="S", help="Begin so many seconds after the bag does.")] = 0.0,
    rate: Annotated[float, typer.Option(metavar="FACTOR", help="So many times as fast as it was recorded.")] = 1.0,
    stay: Annotated[bool, typer.Option("--stay", help="Pause at the end of the bag instead of ending.")] = False,
    speed: option.SpeedOption = None,
    sensors: option.SensorsOption = None,
    record_to: Annotated[
        Path | None, typer.Option("--bag", metavar="FILE", help="Record the ROS topics of the replay to another bag.")
    ] = None,
    network: option.NetworkOption = None,
    grpc: option.GrpcOption = None,
    config: option.ConfigOption = None,
    data: option.DataOption = None,
    quiet: option.QuietRunOption = False,
) -> None:
    """Start the simulator and move the actors as recorded in a bag; interfaces and sensors see it.

    The bag holds /Ego_topic, and /Object_topic or /ReplayInfo_topic, of MORAI SIM or of dorosim.
    """
    from dorosim.app.analyse.bag.file import replay_settings
    from dorosim.app.setting.choice import base_settings
    from dorosim.app.setting.override import chosen_by

    file = base_settings(config)
    bags = replay_settings(file.settings.ros.bag, bag, targets, start, rate, record_to, end=not stay)
    options = {"map": map_name, "speed": speed, "sensors": sensors, "data": data, "grpc": grpc, "udp.network": network}
    chosen = chosen_by({**options, "ros.bag": bags}, file)
    with StopSignals() as signals:
        from dorosim.app.run.run import OutputMode, run_simulator

        run_simulator(chosen.settings, signals, chosen.given, chosen.notes, OutputMode(quiet))
