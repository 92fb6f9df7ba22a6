"""`dorosim scenario run`: run scenarios, and say whether they pass."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any

import typer

from dorosim.app.cli import option
from dorosim.app.cli.exit_code import ExitCode
from dorosim.app.cli.option import DataOption, JsonOption, NetworkOption, SeedOption, SpeedOption, map_option
from dorosim.app.cli.scenario_option import AllowOption, FilesArgument, ParamOption, parameters_of
from dorosim.app.cli.storyboard_option import EgoOption, LockstepOption, ego_from_text

_CRITERIA = "Criteria of the ego entity, which fail a run"
_OUTPUT = "Output"


def _limit(metavar: str, text: str) -> Any:
    return typer.Option(metavar=metavar, help=text, rich_help_panel=_CRITERIA)


def _rule(name: str, text: str) -> Any:
    return typer.Option(name, help=text, rich_help_panel=_CRITERIA)


VariationOption = Annotated[
    str, typer.Option(metavar="N|all", help="Which variation of a file of distributions; all.", show_default=False)
]
StepOption = Annotated[float, typer.Option(metavar="S", help="Length of a tick, 0.001 to 0.1 s.")]
TimeLimitOption = Annotated[
    float, typer.Option(metavar="S", help="Simulated seconds after which a run without an end is broken.")
]
EgoNameOption = Annotated[
    str,
    typer.Option(metavar="ENTITY", help="The ego, which is judged; Ego or hero, else the first vehicle."),
]
NoCollisionOption = Annotated[bool, _rule("--no-collision", "It touches nothing.")]
NoRedLightOption = Annotated[bool, _rule("--no-red-light", "It passes no red light.")]
NoLaneLeftOption = Annotated[
    bool, _rule("--no-lane-left", "No part of it reaches over the border of the lane that it is on.")
]
MaxDecelerationOption = Annotated[float | None, _limit("M/S2", "Its deceleration.")]
MaxJerkOption = Annotated[float | None, _limit("M/S3", "Change of its acceleration, over a tenth of a second.")]
MinTtcOption = Annotated[float | None, _limit("S", "Time to collision with any other actor, if velocities stay.")]
MinEttcOption = Annotated[
    float | None, _limit("S", "Time to collision with what is ahead of it, if accelerations stay.")
]
MinThwOption = Annotated[float | None, _limit("S", "Time headway to what is ahead of it.")]
MinPetOption = Annotated[
    float | None, _limit("S", "Post-encroachment time with any other actor whose way crosses its own.")
]
MaxDracOption = Annotated[
    float | None, _limit("M/S2", "Deceleration that avoids a crash into what is ahead of it, if its speed stays.")
]
MaxRequiredOption = Annotated[float | None, _limit("M/S2", "The same if the acceleration of what is ahead stays.")]
MinDistanceOption = Annotated[float | None, _limit("M", "Distance to any other actor.")]
ArriveOption = Annotated[
    str, _limit("X,Y[,RADIUS]", "It comes to this place of the map, to within 3 m, or within RADIUS.")
]
ArriveWithinOption = Annotated[float | None, _limit("S", "It comes there in this simulated time.")]
PortOffsetOption = Annotated[int, typer.Option(metavar="N", help="Add this to every port of every interface.")]
PortsOption = Annotated[
    str, typer.Option(metavar="fixed|auto", help="auto takes ports that no other program has; see DOROSIM_RUN.")
]
ConfigOption = Annotated[
    Path | None,
    typer.Option(metavar="dorosim.toml", help="Settings of interfaces and sensors; the other settings do not count."),
]
StackOption = Annotated[
    str, typer.Option(metavar="COMMAND", help="Start this program with each run, and end it after; see --ego.")
]
RecordOption = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Record every run to this folder, for 'dorosim replay'.", rich_help_panel=_OUTPUT),
]
TraceOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Write all entities by time as CSV, and the storyboard's transitions beside it; .mcap: both in one.",
        rich_help_panel=_OUTPUT,
    ),
]
JunitOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write the verdicts as JUnit XML.", rich_help_panel=_OUTPUT)
]
_INTERFACES = ("config", "revision", "network", "sensors", "ros_master")
"""Options that stand for settings of interfaces."""


def run(
    files: FilesArgument,
    param: ParamOption = None,
    variation: VariationOption = "",
    seed: SeedOption = None,
    step: StepOption = 0.01,
    time_limit: TimeLimitOption = 300.0,
    map_name: Annotated[str | None, map_option("The map, in place of that which a file names.")] = None,
    ego: EgoOption = None,
    ego_name: EgoNameOption = "",
    lockstep: LockstepOption = False,
    speed: SpeedOption = None,
    config: ConfigOption = None,
    revision: option.RevisionOption = None,
    network: NetworkOption = None,
    sensors: option.SensorsOption = None,
    ros_master: option.RosMasterOption = None,
    port_offset: PortOffsetOption = 0,
    ports: PortsOption = "fixed",
    stack: StackOption = "",
    record: RecordOption = None,
    no_collision: NoCollisionOption = False,
    no_red_light: NoRedLightOption = False,
    no_lane_left: NoLaneLeftOption = False,
    max_deceleration: MaxDecelerationOption = None,
    max_jerk: MaxJerkOption = None,
    min_ttc: MinTtcOption = None,
    min_ettc: MinEttcOption = None,
    min_thw: MinThwOption = None,
    min_pet: MinPetOption = None,
    max_drac: MaxDracOption = None,
    max_required_deceleration: MaxRequiredOption = None,
    min_distance: MinDistanceOption = None,
    arrive: ArriveOption = "",
    arrive_within: ArriveWithinOption = None,
    trace: TraceOption = None,
    junit: JunitOption = None,
    allow: AllowOption = None,
    data: DataOption = None,
    json: JsonOption = False,
) -> None:
    """Run .xosc files, and say whether they pass: without sockets and faster than real time, unless a program drives.

    Prints a line for each run: pass, fail or broken, and why; before one that does not pass, the command that does it
    again. Exit status 0: all pass. 1: a run fails, or has no end within the time limit. 2: an option or a file cannot
    be used. As JSON: {verdict, passed, failed, broken, cases}.
    """
    given = dict(locals())  # by the names of the parameters
    from dorosim.app.run.scenario_runner import run_files

    results = run_files(files, _suite_options(given), json=json)
    if all(one.verdict == "pass" for one in results):
        raise typer.Exit(ExitCode.OK)
    raise typer.Exit(ExitCode.FOUND if all(one.could_run for one in results) else ExitCode.BAD_INPUT)


def _suite_options(given: dict[str, Any]) -> Any:
    """The options of all runs."""
    from dorosim.app.run.scenario_suite import SuiteOptions
    from dorosim.app.store.folder import data_folder

    data, ego = given["data"], given["ego"]
    plain = ("variation", "step", "time_limit", "map_name", "ego_name", "record", "trace", "junit")
    return SuiteOptions(
        data=data_folder(str(data) if data else None),
        data_given=data is not None,
        parameters=parameters_of(given["param"]),
        seed=given["seed"] or 0,
        allow=given["allow"] or [],
        criteria=_criteria(given),
        ego="default" if ego is None else ego_from_text(ego),
        stack=_stack(given),
        **{name: given[name] for name in plain},
    )


def _stack(given: dict[str, Any]) -> Any:
    """How a program drives, among the options."""
    from dorosim.app.run.scenario_interface import StackOptions
    from dorosim.app.setting.override import speed_from_text

    interfaces: dict[str, Any] = {name: None if given[name] is None else str(given[name]) for name in _INTERFACES}
    return StackOptions(
        lockstep=bool(given["lockstep"]),
        speed=None if given["speed"] is None else speed_from_text(given["speed"]),
        **interfaces,
        port_offset=given["port_offset"],
        ports=given["ports"],
        command=given["stack"],
    )


def _criteria(given: dict[str, Any]) -> Any:
    """The criteria among the options."""
    from dorosim.app.run.scenario_criteria import CriteriaOptions

    return CriteriaOptions(**{one.name: given[one.name] for one in fields(CriteriaOptions)})
