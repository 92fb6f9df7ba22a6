"""Settings of scenarios of OpenSCENARIO."""

from __future__ import annotations

from typing import Literal

import msgspec


class StoryboardSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a scenario of OpenSCENARIO is played.

    Attributes:
        parameters: values of its parameters, by name.
        ego: who moves the ego vehicle: the scenario, exactly as its actions command ("default"); our vehicle with
            tyres by the same commands ("dynamics"); our driver ("driver"); or a program by an interface. With "tcp"
            programs drive all vehicles that no story acts on.
        ego_name: the entity that is the ego vehicle. If it is not given, that with the property type=ego_vehicle, else
            one named Ego or hero, else the first vehicle.
        lockstep: each tick waits for the command of the program that drives the ego vehicle.
        allow: further folders in which the scenario may open files.
    """

    parameters: dict[str, str] = {}
    ego: Literal["default", "dynamics", "driver", "udp", "ros", "grpc", "tcp"] = "default"
    ego_name: str = ""
    lockstep: bool = False
    allow: tuple[str, ...] = ()
