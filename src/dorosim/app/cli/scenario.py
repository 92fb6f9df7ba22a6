"""`dorosim scenario`: look at scenario files."""

from __future__ import annotations

from typing import Annotated

import typer

from dorosim.app.cli import completion
from dorosim.app.cli.exit_code import ExitCode
from dorosim.app.cli.option import MAP_HELP, DataOption, JsonOption, completed_argument, map_option
from dorosim.app.run.report.json_output import show_facts

scenario_app = typer.Typer(help="Check scenario files (MORAI SIM's JSON).", no_args_is_help=True)


@scenario_app.command("check")
def check(
    file: Annotated[
        str, completed_argument(completion.scenarios, "NAME|FILE", "A file, or a name in the data folder's Scenario/.")
    ],
    map_name: Annotated[str, map_option(MAP_HELP)] = "town",
    data: DataOption = None,
    json: JsonOption = False,
) -> None:
    """Print what of a scenario is loaded on a map, what falls back and what is missing, by key path.

    Exit status 0: all of it is loaded; a model that another one stands in for does not count. 1: something is missing
    or changed. 2: the file is broken. As JSON: {source, made_for, map, loads, leaves_out, network, falls_back,
    missing}.
    """
    from dorosim.app.analyse.scenario_file import check_scenario, print_check
    from dorosim.app.store.folder import data_folder

    found = check_scenario(file, map_name, data_folder(str(data) if data else None))
    show_facts(found, print_check, json=json)
    raise typer.Exit(ExitCode.FOUND if found["missing"] else ExitCode.OK)
