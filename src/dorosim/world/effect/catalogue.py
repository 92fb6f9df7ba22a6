"""Applies commands: every command with its effect."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dorosim.world.actor.alias_effect import SCENARIO_EFFECTS
from dorosim.world.actor.effect import ACTOR_EFFECTS
from dorosim.world.actor.label_command import CreateNamed
from dorosim.world.actor.label_effect import LABEL_EFFECTS
from dorosim.world.actor.motion_effect import MOTION_EFFECTS
from dorosim.world.command.catalogue import Command
from dorosim.world.draft import Draft
from dorosim.world.effect.surroundings import SURROUNDINGS_EFFECTS
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Outcome
from dorosim.world.traffic.effect import TRAFFIC_EFFECTS
from dorosim.world.vehicle.control_effect import CONTROL_EFFECTS
from dorosim.world.vehicle.drive_effect import DRIVE_EFFECTS
from dorosim.world.vehicle.effect import VEHICLE_EFFECTS
from dorosim.world.vehicle.keyboard_effect import KEYBOARD_EFFECTS

EFFECTS: dict[type[Any], Callable[[Scene, Draft, Any], str]] = {
    **DRIVE_EFFECTS,
    **VEHICLE_EFFECTS,
    **TRAFFIC_EFFECTS,
    **SURROUNDINGS_EFFECTS,
    **ACTOR_EFFECTS,
    **SCENARIO_EFFECTS,
    **LABEL_EFFECTS,
    **MOTION_EFFECTS,
    **CONTROL_EFFECTS,
    **KEYBOARD_EFFECTS,
}
_DONE = Outcome()


def apply_commands(scene: Scene, draft: Draft, commands: Sequence[Command]) -> None:
    """Apply commands in order; one that cannot be done is refused and changes nothing."""
    for command in commands:
        problem = EFFECTS[type(command)](scene, draft, command)
        if problem:
            what = command.make if isinstance(command, CreateNamed) else command
            draft.outcomes.append(Outcome(f"{type(what).__name__}: {problem}"))
        else:
            draft.outcomes.append(Outcome("", draft.made) if draft.made else _DONE)
        draft.made = 0
    draft.pack()
