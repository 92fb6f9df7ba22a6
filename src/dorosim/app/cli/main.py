"""The `dorosim` command."""

from __future__ import annotations

import errno
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, NoReturn

import typer
from typer.models import CommandInfo

from dorosim import __version__
from dorosim.app.cli.bag import bag_app
from dorosim.app.cli.bench import bench
from dorosim.app.cli.config import config_app
from dorosim.app.cli.doctor import doctor
from dorosim.app.cli.error_code import PAGE, ErrorCode, code_of
from dorosim.app.cli.exit_code import ExitCode
from dorosim.app.cli.grpc import grpc_app
from dorosim.app.cli.interrupt import Interrupts
from dorosim.app.cli.map import map_app
from dorosim.app.cli.packet import packet_app
from dorosim.app.cli.plot import plot
from dorosim.app.cli.recording import recording_app
from dorosim.app.cli.replay import replay
from dorosim.app.cli.ros import ros_app
from dorosim.app.cli.run import run
from dorosim.app.cli.scenario import scenario_app
from dorosim.app.cli.sensor import sensor_app
from dorosim.app.cli.state import state_app
from dorosim.app.cli.sweep import sweep_app
from dorosim.app.cli.video import video
from dorosim.app.run.stop_signal import StopSignals, end_process
from dorosim.ground.error import DorosimError


def _new_app() -> typer.Typer:
    return typer.Typer(
        help="dorosim: an open, headless, deterministic driving simulator that speaks MORAI SIM's interfaces.",
        epilog=f"An error shows a code in brackets; {PAGE} says under that name what to do.",
        no_args_is_help=True,
        context_settings={"help_option_names": ["-h", "--help"]},
        pretty_exceptions_enable=False,
    )


app = _new_app()
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EIO)
_FAULT = "this is a fault of dorosim, not of yours; please report it with the lines above"

app.command()(run)
app.command()(replay)
app.command()(plot)
app.command()(video)
app.add_typer(recording_app, name="recording")
app.add_typer(bag_app, name="bag")
app.add_typer(state_app, name="state")
app.add_typer(map_app, name="map")
app.add_typer(packet_app, name="packet")
app.add_typer(grpc_app, name="grpc")
app.add_typer(ros_app, name="ros")
app.add_typer(scenario_app, name="scenario")
app.add_typer(sweep_app, name="sweep")
app.add_typer(sensor_app, name="sensor")
app.add_typer(config_app, name="config")
app.command()(bench)
app.command()(doctor)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"dorosim {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """dorosim: an open, headless, deterministic driving simulator that speaks MORAI SIM's interfaces."""


def app_for(words: Sequence[str]) -> typer.Typer:
    """The app with the one command that a command line begins with; with all of them where it begins otherwise.

    Typer looks at all parameters of all commands that an app has, which takes as long as all classes of messages.

    Args:
        words: the command line after the name of the program.
    """
    alone = _new_app()
    alone.registered_callback = app.registered_callback
    alone.registered_commands = [one for one in app.registered_commands if [_name_of(one)] == list(words[:1])]
    alone.registered_groups = [one for one in app.registered_groups if [one.name] == list(words[:1])]
    return alone if alone.registered_commands or alone.registered_groups else app


def _name_of(command: CommandInfo) -> str | None:
    return command.name or getattr(command.callback, "__name__", None)


def main() -> NoReturn:
    """Run the command line; an error that is meant for the user is one line. See `ExitCode` for the exit status."""
    StopSignals.came = False
    if not Interrupts.came:
        Interrupts.take()
    try:
        status, text = _run()
    except KeyboardInterrupt:  # while what went wrong was being told
        status, text = ExitCode.INTERRUPTED, ""
    Interrupts.leave()
    if text:
        with suppress(OSError):
            typer.echo(text, err=True)
    _flush()
    if StopSignals.came or Interrupts.came:  # threads that are still busy are not waited for
        end_process(status)
    sys.exit(status)


def _run() -> tuple[int, str]:
    """Run the command line. Returns the exit status, and what is to be told."""
    try:
        app_for(sys.argv[1:])(prog_name="dorosim")
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED, ""
    except SystemExit as end:
        # typer and rich end with 1 where the reader has gone, as in `dorosim packet list | head -1`; here 1 means that
        # something was found
        if isinstance(end.__context__, BrokenPipeError):
            return (ExitCode.BAD_INPUT if _is_of_usage(end.__context__) else ExitCode.OK), ""
        if _is_refused(end.__context__):  # typer has said what is wrong
            return ExitCode.BAD_INPUT, _line(
                ErrorCode.USAGE, "the command was not understood; --help says what it takes"
            )
        if isinstance(end.code, int) or end.code is None:
            return end.code or ExitCode.OK, ""
        return ExitCode.FOUND, str(end.code)
    except Exception as error:
        if Interrupts.came:  # libraries make other errors of an interrupt
            return ExitCode.INTERRUPTED, ""
        if isinstance(error, DorosimError):
            return ExitCode.BAD_INPUT, _line(code_of(error), str(error))
        if isinstance(error, OSError) and error.errno in _NO_ROOM:
            return ExitCode.BAD_INPUT, _line(ErrorCode.NO_ROOM, f"nothing more can be written: {error.strerror}")
        return ExitCode.FAILED, f"{traceback.format_exc()}{_line(ErrorCode.FAULT, _FAULT)}"
    return ExitCode.OK, ""


def _line(code: ErrorCode, text: str) -> str:
    """An error as it is printed, with the code that leads to its place in the page of errors."""
    return f"dorosim: error [{code}]: {text}"


def _is_refused(error: BaseException | None) -> bool:
    """Whether typer refused the command line; where a command is left out it only prints its help."""
    return hasattr(error, "format_message") and type(error).__name__ != "NoArgsIsHelpError"


def _is_of_usage(error: BaseException) -> bool:
    """Whether an error came up while typer handled a wrong use of the command, for which typer has an exit status."""
    before = error.__context__
    return before is not None and (hasattr(before, "exit_code") or _is_of_usage(before))


def _flush() -> None:
    """Write what is in the buffers, or discard it where the reader is gone: else Python ends with its own status."""
    for file in (sys.stdout, sys.stderr):
        try:
            if file is not None:
                file.flush()
        except OSError:
            from dorosim.app.run.report.console import to_nowhere

            to_nowhere(file)
