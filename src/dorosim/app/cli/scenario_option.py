"""Arguments and options that the commands of `dorosim scenario` share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dorosim.app.cli import completion
from dorosim.app.cli.option import completed_argument
from dorosim.ground.error import InputError

FileArgument = Annotated[
    str, completed_argument(completion.scenarios, "NAME|FILE", "A file, or a name in the data folder's Scenario/.")
]
FilesArgument = Annotated[
    list[str],
    completed_argument(completion.scenarios, "NAME|FILE...", "Files, or names in the data folder's Scenario/."),
]
AllowOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--allow",
        metavar="DIR",
        help="A folder in which an .xosc file may open files that it names, besides its own and the data folder.",
    ),
]
ParamOption = Annotated[
    list[str] | None,
    typer.Option("--param", metavar="NAME=VALUE", help="Value of a parameter of an .xosc file, instead of its own."),
]


def parameters_of(given: list[str] | None) -> dict[str, str]:
    """Values of parameters, by name.

    Raises:
        InputError: one is not NAME=VALUE.
    """
    values: dict[str, str] = {}
    for one in given or ():
        name, sign, value = one.partition("=")
        if not sign or not name.strip():
            raise InputError(f"--param {one}", "", "is not NAME=VALUE", "write it as --param EgoSpeed=25")
        values[name.strip().removeprefix("$")] = value
    return values
