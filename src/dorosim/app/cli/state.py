"""`dorosim state`: what is in snapshot files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dorosim.app.cli.exit_code import ExitCode
from dorosim.app.cli.option import JsonOption
from dorosim.app.run.report.json_output import print_json, show_facts

state_app = typer.Typer(
    help="Show and compare snapshots, as 'dorosim run --save-snapshot' saves them.", no_args_is_help=True
)


@state_app.command("show")
def show(
    file: Annotated[Path, typer.Argument(help="A snapshot file.")],
    most: Annotated[int, typer.Option(metavar="N", min=0, help="List at most so many actors.")] = 40,
    json: JsonOption = False,
) -> None:
    """The run that a snapshot is of, its time, how much of what there is, and every actor.

    As JSON: {file, time_s, tick, map, seed, counts, weather, digest, actors: [{id, kind, model, x, y, z, heading_deg,
    speed}], ...}, with all actors.
    """
    from dorosim.app.analyse.state_file import print_state, state_facts

    facts = state_facts(file)
    show_facts(facts, lambda facts: print_state(facts, most), json=json)


@state_app.command("diff")
def diff(
    left: Annotated[Path, typer.Argument(metavar="A", help="A snapshot file.")],
    right: Annotated[Path, typer.Argument(metavar="B", help="Another one.")],
    most: Annotated[int, typer.Option(metavar="N", min=0, help="List at most so many differences.")] = 40,
    json: JsonOption = False,
) -> None:
    """What differs between two snapshots, by actor and column.

    Exit status 0: they are equal, bit for bit, and so are map, seed and tick of their runs. 1: they differ.
    As JSON: {equal, runs, count, differences: [{actor, place, left, right, unit}]}, of these at most N.
    """
    from dorosim.app.analyse.state_file import compare_states, comparison_facts, print_comparison

    found = compare_states(left, right)
    if json:
        print_json(comparison_facts(found, most))
    else:
        print_comparison(found, most)
    raise typer.Exit(ExitCode.OK if found.equal else ExitCode.FOUND)
