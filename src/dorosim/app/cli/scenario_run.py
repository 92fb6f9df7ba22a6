"""`dorosim scenario run`: run scenarios, and say whether they pass."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from dorosim.app.cli.exit_code import ExitCode
from dorosim.app.cli.option import DataOption, JsonOption, SeedOption
from dorosim.app.cli.scenario_option import AllowOption, FilesArgument, ParamOption, parameters_of

_CRITERIA = "Criteria of the ego, which fail a run"
_OUTPUT = "Output"


def _limit(metavar: str, text: str) -> Any:
    return typer.Option(metavar=metavar, help=text, rich_help_panel=_CRITERIA)


def _rule(name: str, text: str) -> Any:
    return typer.Option(name, help=text, rich_help_panel=_CRITERIA)


def run(
    files: FilesArgument,
    param: ParamOption = None,
    variation: Annotated[
        str, typer.Option(metavar="N|all", help="Which variation of a file of distributions; all.", show_default=False)
    ] = "",
    seed: SeedOption = None,
    step: Annotated[float, typer.Option(metavar="S", help="Length of a tick, 0.001 to 0.1 s.")] = 0.01,
    time_limit: Annotated[
        float, typer.Option(metavar="S", help="Simulated seconds after which a run without an end is broken.")
    ] = 300.0,
    ego_name: Annotated[
        str, typer.Option(metavar="ENTITY", help="The entity that is judged; Ego or hero, else the first vehicle.")
    ] = "",
    no_collision: Annotated[bool, _rule("--no-collision", "It touches nobody and nothing.")] = False,
    no_red_light: Annotated[bool, _rule("--no-red-light", "It passes no red light.")] = False,
    no_lane_left: Annotated[
        bool, _rule("--no-lane-left", "No part of it reaches over the border of the lane that it is on.")
    ] = False,
    max_deceleration: Annotated[float | None, _limit("M/S2", "Its deceleration.")] = None,
    max_jerk: Annotated[float | None, _limit("M/S3", "Change of its acceleration, over a tenth of a second.")] = None,
    min_ttc: Annotated[float | None, _limit("S", "Time to collision with anybody, if velocities stay.")] = None,
    min_ettc: Annotated[
        float | None, _limit("S", "Time to collision with what is ahead, if accelerations stay.")
    ] = None,
    min_thw: Annotated[float | None, _limit("S", "Time headway to what is ahead.")] = None,
    min_pet: Annotated[
        float | None, _limit("S", "Post-encroachment time with anybody whose way crosses its own.")
    ] = None,
    max_drac: Annotated[float | None, _limit("M/S2", "Deceleration to avoid a crash into what is ahead.")] = None,
    max_required_deceleration: Annotated[
        float | None, _limit("M/S2", "The same, if the acceleration of what is ahead stays.")
    ] = None,
    min_distance: Annotated[float | None, _limit("M", "Distance to anybody.")] = None,
    arrive: Annotated[str, _limit("X,Y[,RADIUS]", "It comes to this place of the map, to within 3 m or RADIUS.")] = "",
    arrive_within: Annotated[float | None, _limit("S", "It comes there in this simulated time.")] = None,
    trace: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write all entities by time as CSV, and the storyboard's transitions beside it; .mcap: both in one.",
            rich_help_panel=_OUTPUT,
        ),
    ] = None,
    junit: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the verdicts as JUnit XML.", rich_help_panel=_OUTPUT)
    ] = None,
    allow: AllowOption = None,
    data: DataOption = None,
    json: JsonOption = False,
) -> None:
    """Run .xosc files without sockets, faster than real time, and say whether they pass.

    Prints a line for each run: pass, fail or broken, and why; after a fail, the command that does it again. Exit
    status 0: all pass. 1: a run fails, or has no end within the time limit. 2: an option or a file cannot be used.
    As JSON: {verdict, passed, failed, broken, cases}.
    """
    from dorosim.app.run.scenario_criteria import CriteriaOptions
    from dorosim.app.run.scenario_runner import run_files
    from dorosim.app.run.scenario_suite import SuiteOptions
    from dorosim.app.store.folder import data_folder

    criteria = CriteriaOptions(
        no_collision=no_collision,
        no_red_light=no_red_light,
        no_lane_left=no_lane_left,
        max_deceleration=max_deceleration,
        max_jerk=max_jerk,
        min_ttc=min_ttc,
        min_ettc=min_ettc,
        min_thw=min_thw,
        min_pet=min_pet,
        max_drac=max_drac,
        max_required_deceleration=max_required_deceleration,
        min_distance=min_distance,
        arrive=arrive,
        arrive_within=arrive_within,
    )
    options = SuiteOptions(
        data=data_folder(str(data) if data else None),
        data_given=data is not None,
        allow=allow or [],
        parameters=parameters_of(param),
        variation=variation,
        seed=seed or 0,
        step=step,
        time_limit=time_limit,
        ego_name=ego_name,
        criteria=criteria,
        trace=trace,
        junit=junit,
    )
    results = run_files(files, options, json=json)
    if all(one.verdict == "pass" for one in results):
        raise typer.Exit(ExitCode.OK)
    raise typer.Exit(ExitCode.FOUND if all(one.could_run for one in results) else ExitCode.BAD_INPUT)
