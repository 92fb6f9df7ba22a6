"""`dorosim doctor`: check the machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dorosim.app.cli.exit_code import ExitCode
from dorosim.app.cli.option import JsonOption
from dorosim.app.run.report.json_output import print_json


def doctor(
    config: Annotated[Path | None, typer.Option(metavar="dorosim.toml", help="Settings file to look at.")] = None,
    json: JsonOption = False,
) -> None:
    """Check this machine: versions, folders, ports, processors, punctuality and speed; what is slow, and what to do.

    Exit status 0 if nothing keeps a run from working, 1 if something does. As JSON: a list of {name, level, text, cure}
    with level ok, note or problem.
    """
    from dorosim.app.doctor.examine import examine, print_findings
    from dorosim.app.doctor.finding import Level
    from dorosim.app.run.report.progress import waited

    found = waited(examine(config), "looking at this machine")
    findings = list(found) if json else print_findings(found)
    if json:
        print_json(findings)
    raise typer.Exit(ExitCode.FOUND if any(one.level is Level.PROBLEM for one in findings) else ExitCode.OK)
