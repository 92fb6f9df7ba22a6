"""Commands to the lights.

They have no actor: they name a light or a controller by its row in the map (`SignalPlan.light_row`,
`SignalPlan.controller_row`).
"""

from __future__ import annotations

import msgspec

from dorosim.road.signal import PedestrianPhase
from dorosim.world.command import Command


class SetLight(Command, frozen=True, tag=True):
    """Sets the lamps of a light, or gives it back to its programme.

    Attributes:
        light: row of the light in the map.
        lamps: a sum of `Lamp`; NO_LAMP (-1) gives the light back (design/seams.md, Codes).
        once: only until the programme's next state (gRPC page, is_impulse). A light without a programme keeps it.
        siblings: also the other heads on the same entry road (gRPC page, set_sibling).
    """

    light: int
    lamps: int
    once: bool = False
    siblings: bool = False


class SetIntersection(Command, frozen=True, tag=True):
    """Sets the state of a controller's programme, which goes on from there.

    Attributes:
        controller: row of the controller in the map.
        state: index of the state.
        elapsed: how long the state has lasted already [s]; as long as it lasts, or longer, means its end, so the next
            one follows with the next tick.
    """

    controller: int
    state: int
    elapsed: float = 0.0


class TimedColours(msgspec.Struct, frozen=True):
    """A state of a schedule: its duration before the yellow [s] and the colour of each group."""

    duration: float
    colours: tuple[str, ...]


class SetSchedule(Command, frozen=True, tag=True):
    """Changes the programme of a controller, which starts again with its first state.

    Attributes:
        controller: row of the controller in the map.
        states: the states in order; empty keeps the present ones.
        yellow: yellow after each state [s]; empty keeps the present ones, or means none if the number of states
            changes.
        pedestrian: times for pedestrians; None keeps the present ones, or means none if the states change.
    """

    controller: int
    states: tuple[TimedColours, ...] = ()
    yellow: tuple[float, ...] = ()
    pedestrian: tuple[PedestrianPhase, ...] | None = None
