"""The effect of making something under a scenario's id."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import fields
from dataclasses import replace as replace_field
from typing import Any

from msgspec.structs import replace

from dorosim.world.actor.alias import AliasKind
from dorosim.world.actor.alias_command import ALIAS_KINDS, CreateAs, Making
from dorosim.world.actor.effect import ACTOR_EFFECTS
from dorosim.world.draft import Draft
from dorosim.world.effect.surroundings import SURROUNDINGS_EFFECTS
from dorosim.world.pedestrian.command import SpawnPedestrian
from dorosim.world.scene import Scene
from dorosim.world.traffic.command import CreateNpc, RemoveActor, SetPedestrianSpawnPoints, SetVehicleSpawnPoints
from dorosim.world.traffic.effect import TRAFFIC_EFFECTS
from dorosim.world.vehicle.effect import VEHICLE_EFFECTS

_MAKERS = {**TRAFFIC_EFFECTS, **VEHICLE_EFFECTS, **SURROUNDINGS_EFFECTS}


def _create_as(scene: Scene, draft: Draft, command: CreateAs) -> str:
    make, alias = command.make, command.alias
    kind = ALIAS_KINDS[type(make)]
    label = f"{kind.name.lower().replace('_', ' ')} {alias} of the scenario"
    before, known = copy(draft), draft.alias.actor_of(kind, alias)
    before.new, before.gone = draft.new.copy(), draft.gone.copy()
    if isinstance(make, SetVehicleSpawnPoints | SetPedestrianSpawnPoints):
        if len(make.points) != 1:
            return f"{label}: one id cannot be that of {len(make.points)} spawn points"
        known = known if draft.spawn.holds(known) else 0
        make = _as_point(make, known)
    elif known:
        ACTOR_EFFECTS[RemoveActor](scene, draft, RemoveActor(known))
        known = 0
    problem = _MAKERS[type(make)](scene, draft, _with_known_points(draft, make))
    if problem:
        for one in fields(Draft):
            setattr(draft, one.name, getattr(before, one.name))
        return f"{label}: {problem}"
    draft.alias = draft.alias.with_alias(kind, alias, known or draft.made)
    return ""


def _as_point(make: Making, actor: int) -> Making:
    """A command that makes one spawn point, with the point's id in the world, or 0 for a new one."""
    if isinstance(make, SetVehicleSpawnPoints):
        return SetVehicleSpawnPoints((replace_field(make.points[0], id=actor),))
    assert isinstance(make, SetPedestrianSpawnPoints)
    return SetPedestrianSpawnPoints((replace_field(make.points[0], id=actor),))


def _with_known_points(draft: Draft, make: Making) -> Making:
    """The command, with the spawn point that its actor came from given by the world's id."""
    if isinstance(make, CreateNpc):
        point = draft.alias.actor_of(AliasKind.VEHICLE_SPAWN_POINT, make.spawn_point)
        return replace(make, spawn_point=point)
    if isinstance(make, SpawnPedestrian):
        return replace(make, origin=draft.alias.actor_of(AliasKind.PEDESTRIAN_SPAWN_POINT, make.origin))
    return make


SCENARIO_EFFECTS: dict[type[Any], Callable[[Scene, Draft, Any], str]] = {CreateAs: _create_as}
"""Effect of each command."""
