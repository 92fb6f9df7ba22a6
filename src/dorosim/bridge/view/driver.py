"""A sentence that says what drives the followed actor."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple

import numpy as np

from dorosim.bridge.actor import ActorKind, kind_of
from dorosim.world.snapshot import Snapshot
from dorosim.world.storyboard.mover import Mover
from dorosim.world.storyboard.state import NEVER
from dorosim.world.vehicle.mode import ControlKind, ControlMode

FRESH = 0.5
"""A vehicle that got a command less than this ago counts as driven, not as left with its last command [s]."""


class Tone(Enum):
    """What a sentence means: the actor is driven, it is not driven, or it is paused."""

    BUSY = "busy"
    IDLE = "idle"
    STILL = "still"


class Driver(NamedTuple):
    """What drives an actor.

    Attributes:
        text: a sentence without a full stop. tone: what it means.
    """

    text: str
    tone: Tone


_OTHERS = {
    ActorKind.NONE: Driver("Nobody is followed", Tone.IDLE),
    ActorKind.NPC: Driver("Traffic: the driver model drives", Tone.BUSY),
    ActorKind.GHOST: Driver("Ghost: placed from outside", Tone.BUSY),
    ActorKind.PEDESTRIAN: Driver("On foot: walks by itself", Tone.BUSY),
}


PLAYED = Driver("As recorded: nothing can be driven", Tone.IDLE)
"""What drives the actors of a recording that is played."""


def who_drives(now: Snapshot, actor: int, driven: Mapping[int, float]) -> Driver:
    """Returns what drives an actor.

    Args:
        now: the snapshot.
        actor: id of any actor.
        driven: how long ago vehicles were last driven from outside [s of wall time], by id.
    """
    row = now.row_of(actor)
    led = _led_by_storyboard(now, actor)
    if led is not None:
        return led
    if row < 0:
        return _OTHERS.get(kind_of(now, actor), Driver("Nobody drives it", Tone.IDLE))
    vehicle = now.vehicle
    if vehicle.paused[row]:
        return Driver("Held: the vehicle is paused", Tone.STILL)
    mode, kind = ControlMode(int(vehicle.control_mode[row])), ControlKind(int(vehicle.control_kind[row]))
    if mode is ControlMode.KEYBOARD:
        if vehicle.seized[row]:
            return Driver("Keyboard: driven from this page", Tone.BUSY)
        return Driver("Keyboard: nobody is at the keys", Tone.IDLE)
    if mode is ControlMode.CRUISE:
        return Driver("Cruise: the built-in driver", Tone.BUSY)
    if mode is ControlMode.GHOST:
        return Driver("Ghost: placed from outside", Tone.BUSY)
    if kind is ControlKind.TRAJECTORY:
        return Driver("Trajectory: the built-in driver", Tone.BUSY)
    return _external(driven.get(actor), held=kind is ControlKind.HOLD)


_MOVERS = {
    Mover.DEFAULT: Driver("Storyboard: exactly as it commands", Tone.BUSY),
    Mover.DYNAMICS: Driver("Storyboard: its commands, with tyres", Tone.BUSY),
    Mover.DRIVER: Driver("Storyboard: its wishes, by our driver", Tone.BUSY),
}
"""What moves an entity of a storyboard, where no client does."""


def _led_by_storyboard(now: Snapshot, actor: int) -> Driver | None:
    """Returns what of a storyboard drives an actor, None for an actor that it does not drive."""
    storyboard = now.storyboard
    if storyboard.is_empty():
        return None
    rows = np.flatnonzero((storyboard.entity.actor == actor) & (storyboard.entity.present != 0))
    found = _MOVERS.get(Mover(int(storyboard.entity.mover[rows[0]]))) if len(rows) else None
    if found is not None and storyboard.ended != NEVER:
        return Driver("Storyboard: over, it stands", Tone.IDLE)
    return found


def _external(age: float | None, *, held: bool) -> Driver:
    """Returns what drives a vehicle in auto mode that got its last command `age` ago [s]; None for no command."""
    if held:
        return Driver("Held: press W or Q to drive", Tone.IDLE)
    if age is None:
        return Driver("External (auto): no command lately", Tone.IDLE)
    if age < FRESH:
        return Driver("External (auto): a client drives", Tone.BUSY)
    return Driver(f"External (auto): last command {_ago(age)} ago", Tone.IDLE)


def _ago(age: float) -> str:
    if age < 10.0:
        return f"{age:.1f} s"
    return f"{age:.0f} s" if age < 120.0 else f"{age / 60.0:.0f} min"
