"""`dorosim replay`: run a recording again and compare every tick, or look at it on the live page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dorosim.app.cli.exit_code import ExitCode
from dorosim.app.cli.option import (
    BeginOption,
    DataOption,
    JsonOption,
    MovedMapOption,
    PartOption,
    RainOption,
    SpeedOption,
    TimeOfDayOption,
    VisibilityOption,
    WeatherOption,
)
from dorosim.app.cli.setting_origin import SKY, naming_origin
from dorosim.app.run.report.json_output import show_facts
from dorosim.app.run.stop_signal import StopSignals
from dorosim.ground.error import InputError

ViewOption = Annotated[bool, typer.Option("--view", help="Play it on the live page, until Ctrl-C.")]
ViewAtOption = Annotated[
    str | None, typer.Option("--view-at", metavar="ADDRESS", help="The same, at this address, as 127.0.0.1:8080.")
]


def replay(
    file: Annotated[Path, typer.Argument(help="A recording, as 'dorosim run --record FILE' wrote it.")],
    view: ViewOption = False,
    view_at: ViewAtOption = None,
    speed: SpeedOption = None,
    begin: BeginOption = None,
    part: PartOption = None,
    weather: WeatherOption = None,
    time_of_day: TimeOfDayOption = None,
    rain: RainOption = None,
    visibility: VisibilityOption = None,
    map_name: MovedMapOption = None,
    data: DataOption = None,
    json: JsonOption = False,
) -> None:
    """Run a recording again, as fast as possible, and hold every tick against it.

    Exit status 0: every snapshot is equal, bit for bit. 1: they differ, and the first tick that does is named.
    As JSON: {ticks, simulated_s, equal, diverged_tick, recorded_by, lost_bytes}.

    With --view it is played on the live page: it can be paused, stepped, played at another pace and from another
    moment. Weather, time of day, rain and visibility change the picture only: the vehicles drive as they did in the
    recording.
    """
    if view or view_at is not None:
        if json:
            raise InputError("replay", "", "both --view and --json are given", "give one of them")
        _view(file, view_at, speed, begin, part, (weather, time_of_day, rain, visibility), map_name, data)
        return
    for option, value in {
        "--speed": speed,
        "--from": begin,
        "--part": part,
        "--weather": weather,
        "--time-of-day": time_of_day,
        "--rain": rain,
        "--visibility": visibility,
    }.items():
        if value is not None:
            raise InputError("replay", "", f"{option} is about a recording that is looked at", "add --view")
    from dorosim.app.run.replay import print_found, replay_file

    found = replay_file(file, map_name, data)
    show_facts(found, print_found, json=json)
    raise typer.Exit(ExitCode.OK if found.equal else ExitCode.FOUND)


_Sky = tuple[str | None, float | None, float | None, float | None]


def _view(
    file: Path,
    address: str | None,
    speed: str | None,
    begin: float | None,
    part: int | None,
    sky: _Sky,
    map_name: str | None,
    data: Path | None,
) -> None:
    """Play a recording on the live page."""
    with StopSignals() as signals:
        from dorosim.app.analyse.sky import sky_of
        from dorosim.app.run.report.console import LastingConsole
        from dorosim.app.serve.replay.view import RecordingView, view_recording
        from dorosim.app.setting.override import speed_from_text

        with naming_origin(SKY):
            shown = sky_of(*sky)
        view = RecordingView(
            map_name=map_name,
            data=data,
            part=part,
            begin=begin,
            speed="realtime" if speed is None else speed_from_text(speed),
            address=address,
            sky=shown,
        )
        view_recording(file, view, signals, LastingConsole(stderr=True, highlight=False))
