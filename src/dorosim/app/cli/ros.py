"""`dorosim ros`: the definitions of the ROS messages."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dorosim.app.cli.option import ForceOption, JsonOption
from dorosim.app.run.report.json_output import print_json

ros_app = typer.Typer(help="Get the definitions of the ROS messages.", no_args_is_help=True)


@ros_app.command("msgs")
def msgs(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Folder to write morai_msgs into, as src of a catkin workspace.")
    ],
    generation: Annotated[
        str,
        typer.Option(
            metavar="2022|2024|24.r2|26.r1", help="Generation of morai_msgs, as ros.generation in the settings."
        ),
    ] = "2024",
    python: Annotated[
        bool, typer.Option("--python", help="Write Python modules, ready to be imported, by genpy of ROS.")
    ] = False,
    force: ForceOption = False,
    json: JsonOption = False,
) -> None:
    """Write the package morai_msgs, with its .msg and .srv files, for a ROS 1 workspace to build.

    With --python it is written as Python modules, which rospy takes as they are with DIR in PYTHONPATH.
    As JSON: {folder, generation, written, kept}.
    """
    from dorosim.app.store.file_copy import copy_files
    from dorosim.app.store.ros_package import PACKAGE, ros_modules, ros_package

    copied = copy_files(folder, (ros_modules if python else ros_package)(generation), force)
    if json:
        print_json({"folder": folder / PACKAGE, "generation": generation, **copied._asdict()})
    else:
        counts = f"generation {generation}, {copied.written} files written, {copied.kept} there already"
        typer.echo(f"{folder / PACKAGE}: {counts}")
