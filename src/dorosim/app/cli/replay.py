"""`dorosim replay`: run a recording again and compare every tick."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dorosim.app.cli.exit_code import ExitCode
from dorosim.app.cli.option import DataOption, JsonOption, MovedMapOption
from dorosim.app.run.report.json_output import show_facts


def replay(
    file: Annotated[Path, typer.Argument(help="A recording, as 'dorosim run --record FILE' wrote it.")],
    map_name: MovedMapOption = None,
    data: DataOption = None,
    json: JsonOption = False,
) -> None:
    """Run a recording again, as fast as possible, and hold every tick against it.

    Exit status 0: every snapshot is equal, bit for bit. 1: they differ, and the first tick that does is named.
    As JSON: {ticks, simulated_s, equal, diverged_tick, recorded_by, lost_bytes}.
    """
    from dorosim.app.run.replay import print_found, replay_file

    found = replay_file(file, map_name, data)
    show_facts(found, print_found, json=json)
    raise typer.Exit(ExitCode.OK if found.equal else ExitCode.FOUND)
