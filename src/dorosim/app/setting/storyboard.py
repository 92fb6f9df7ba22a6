<<<<<<< HEAD
"""How a scenario of OpenSCENARIO is played, in the settings of a run."""
=======
"""Settings of scenarios of OpenSCENARIO."""
>>>>>>> 8b6745a04eee4a805f006f3def66a5b9b0c3d629

from __future__ import annotations

from typing import Literal

import msgspec


class StoryboardSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a scenario of OpenSCENARIO is played.

    Attributes:
        parameters: values of its parameters, by name.
        ego: who moves the ego vehicle: the scenario, exactly as its actions command ("default"); our vehicle with
<<<<<<< HEAD
            tyres by the same commands ("dynamics"); our driver ("driver"); or a program by an interface.
=======
            tyres by the same commands ("dynamics"); our driver ("driver"); or a program by an interface. With "tcp"
            programs drive all vehicles that no story acts on.
>>>>>>> 8b6745a04eee4a805f006f3def66a5b9b0c3d629
        ego_name: the entity that is the ego vehicle. If it is not given, that with the property type=ego_vehicle, else
            one named Ego or hero, else the first vehicle.
        lockstep: each tick waits for the command of the program that drives the ego vehicle.
        allow: further folders in which the scenario may open files.
    """

    parameters: dict[str, str] = {}
<<<<<<< HEAD
    ego: Literal["default", "dynamics", "driver", "udp", "ros", "grpc"] = "default"
=======
    ego: Literal["default", "dynamics", "driver", "udp", "ros", "grpc", "tcp"] = "default"
>>>>>>> 8b6745a04eee4a805f006f3def66a5b9b0c3d629
    ego_name: str = ""
    lockstep: bool = False
    allow: tuple[str, ...] = ()
