"""`dorosim recording`: what is in recordings; and options that commands on them have in common, and others too."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dorosim.app.run.report.json_output import JsonOption

recording_app = typer.Typer(
    help="Tell of recordings, as 'dorosim run --record' writes them. 'dorosim replay' runs them again.",
    no_args_is_help=True,
)
MovedMapOption = Annotated[
    str | None, typer.Option("--map", metavar="NAME|DIR", help="Where the map is now, if it has moved since.")
]
DataOption = Annotated[Path | None, typer.Option(metavar="DIR", help="Data folder.")]
BeginOption = Annotated[float | None, typer.Option("--from", metavar="S", help="Simulated time to begin at.")]
EndOption = Annotated[float | None, typer.Option("--to", metavar="S", help="Simulated time to end at.")]
PartOption = Annotated[int | None, typer.Option(metavar="N", help="Part of a run that was reset; the longest.")]


@recording_app.command("info")
def info(
    file: Annotated[Path, typer.Argument(help="A recording.")],
    json: JsonOption = False,
) -> None:
    """What a recording was given, how long it is, and whether this version of dorosim can run it again.

    As JSON: {file, ticks, first_tick, last_tick, duration_s, lost_bytes, resets, map, seed, tick_ms, egos, version,
    physics, replayable, revision, epoch_s, from_snapshot}.
    """
    from dorosim.app.analyse.recording_file import print_recording, recording_facts
    from dorosim.app.run.report.json_output import print_json

    facts = recording_facts(file)
    if json:
        print_json(facts)
    else:
        print_recording(facts)
