"""The effects of the commands that give names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dorosim.world.actor.effect import ACTOR_EFFECTS
from dorosim.world.actor.label import flaw_of_label
from dorosim.world.actor.label_command import CreateNamed, SetLabel
from dorosim.world.draft import Draft
from dorosim.world.effect.known import lives
from dorosim.world.effect.surroundings import SURROUNDINGS_EFFECTS
from dorosim.world.scene import Scene
from dorosim.world.traffic.command import SetPedestrianSpawnPoints, SetVehicleSpawnPoints
from dorosim.world.traffic.effect import TRAFFIC_EFFECTS
from dorosim.world.vehicle.effect import VEHICLE_EFFECTS

EGO_NAME = "Ego"
"""The name of the first ego vehicle for every client (facts/ros-grpc-mgeo.md, 2.3)."""
_MAKERS = {**TRAFFIC_EFFECTS, **VEHICLE_EFFECTS, **SURROUNDINGS_EFFECTS, **ACTOR_EFFECTS}


def _create_named(scene: Scene, draft: Draft, command: CreateNamed) -> str:
    flaw = flaw_of_label(command.name, command.owner)
    if flaw:
        return flaw
    make = command.make
    if isinstance(make, SetVehicleSpawnPoints | SetPedestrianSpawnPoints) and len(make.points) != 1:
        return f"one name cannot be that of {len(make.points)} spawn points"
    problem = _MAKERS[type(make)](scene, draft, make)
    if problem:
        return problem
    name = "" if _is_taken(draft, command.name) else command.name
    if draft.made and (name or command.owner):
        draft.label = draft.label.with_label(draft.made, name, command.owner)
    return ""


def _set_label(_: Scene, draft: Draft, command: SetLabel) -> str:
    if not lives(draft, command.actor):
        return f"there is no actor {command.actor}"
    flaw = flaw_of_label(command.name, command.owner)
    if flaw:
        return flaw
    known = draft.label.all().get(command.actor, ("", ""))[0]
    if command.name != known and _is_taken(draft, command.name):
        return f"{command.name!r} is the name of another one"
    draft.label = draft.label.with_label(command.actor, command.name, command.owner)
    return ""


def _is_taken(draft: Draft, name: str) -> bool:
    """Whether a name is in use already: as the name, the id or the reported number of an actor in the world."""
    if name == EGO_NAME:
        return True
    if name.isascii() and name.isdecimal() and len(name) < 11 and int(name) != draft.made:
        number = int(name)
        if lives(draft, number) or draft.ghost.row_told_as(number) >= 0:
            return True
    return bool(name) and any(lives(draft, actor) for actor in draft.label.bearers_of(name))


LABEL_EFFECTS: dict[type[Any], Callable[[Scene, Draft, Any], str]] = {
    CreateNamed: _create_named,
    SetLabel: _set_label,
}
"""Effect of each command."""
