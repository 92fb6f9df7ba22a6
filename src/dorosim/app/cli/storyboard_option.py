"""Options of commands that play files of OpenSCENARIO."""

from __future__ import annotations

from typing import Annotated

import typer

from dorosim.app.cli import completion, option

EGO_DRIVERS = ("default", "dynamics", "driver", "udp", "ros", "grpc", "tcp")
"""Values of --ego."""

EgoOption = Annotated[
    str | None,
    option.completed_option(
        completion.words(*EGO_DRIVERS),
        "|".join(EGO_DRIVERS),
        "Who moves the ego vehicle of an .xosc file: the file exactly (default), tyres, our driver, or a program.",
        "--ego",
    ),
]
EgoNameOption = Annotated[
    str | None, typer.Option("--ego-name", metavar="NAME", help="The entity of an .xosc file that is the ego vehicle.")
]
LockstepOption = Annotated[
    bool | None,
    typer.Option(
        "--lockstep",
        help="Each tick waits for the command of the program that drives the ego vehicle.",
        show_default=False,
    ),
]


def ego_from_text(text: str) -> str:
    """Who moves the ego vehicle.

    Raises:
        InputError: it is none of `EGO_DRIVERS`.
    """
    from dorosim.ground.error import InputError

    plain = text.strip().lower()
    if plain not in EGO_DRIVERS:
        raise InputError(f"--ego {text}", "", "is nobody who can drive", f"must be one of {', '.join(EGO_DRIVERS)}")
    return plain
