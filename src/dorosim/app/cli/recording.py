"""`dorosim recording`: what is in recordings."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dorosim.app.cli.option import JsonOption
from dorosim.app.run.report.json_output import show_facts

recording_app = typer.Typer(
    help="Tell of recordings, as 'dorosim run --record' writes them. 'dorosim replay' runs them again.",
    no_args_is_help=True,
)


@recording_app.command("info")
def info(file: Annotated[Path, typer.Argument(help="A recording.")], json: JsonOption = False) -> None:
    """What a recording was given, how long it is, and whether this version of dorosim can run it again.

    As JSON: {file, ticks, first_tick, last_tick, duration_s, held_ticks, lost_bytes, resets, map, seed, tick_ms, egos,
    version, physics, replayable, revision, epoch_s, scenario, parameters, from_snapshot}.
    """
    from dorosim.app.analyse.recording_file import print_recording, recording_facts

    facts = recording_facts(file)
    show_facts(facts, print_recording, json=json)
