"""What commands to pedestrians, obstacles and lights do, and those about sensors, faults, friction and weather.

The effects are those of the modules in which the commands stand; here they meet the draft.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

import msgspec

from dorosim.world.actor.effect import forget
from dorosim.world.command.actor import NEW_ACTOR
from dorosim.world.command.catalogue import (
    FaultCommand,
    ObstacleCommand,
    PedestrianCommand,
    SignalCommand,
)
from dorosim.world.draft import Draft
from dorosim.world.environment.friction_command import (
    CreateFrictionArea,
    CreateMapObject,
    FrictionCommand,
    RemoveMapObject,
    change_friction,
)
from dorosim.world.environment.gnss_denied_area import ShadeCommand, change_shades
from dorosim.world.environment.weather import EnvironmentCommand, apply_environment_command
from dorosim.world.fault.command import SetSensorFault, change_faults
from dorosim.world.fault.table import with_sensors
from dorosim.world.mount.command import AddSensor, MountCommand, change_mounts
from dorosim.world.obstacle.state import SpawnObstacle, apply_obstacle_command
from dorosim.world.pedestrian.command import SpawnPedestrian, apply_pedestrian_command
from dorosim.world.scene import Scene
from dorosim.world.signal.command import apply_signal_command
from dorosim.world.vehicle.effect import ALL_IDS_GIVEN

MAKERS = (SpawnPedestrian, SpawnObstacle, CreateMapObject, CreateFrictionArea)
"""Commands that make an actor; those that leave its id open get the next one."""


def with_id(draft: Draft, command: Any) -> Any:
    """A command that makes an actor, with the id that the actor gets; None if there is none left."""
    actor = draft.new_id()
    return msgspec.structs.replace(command, actor=actor) if actor else None


def _to_people(scene: Scene, draft: Draft, command: PedestrianCommand) -> str:
    if isinstance(command, SpawnPedestrian) and command.origin < 0:
        return f"no spawn point {command.origin}"
    people, problem = apply_pedestrian_command(draft.people, command, draft.growth)
    draft.people = people
    del scene
    return problem


def _to_obstacle(_: Scene, draft: Draft, command: ObstacleCommand) -> str:
    draft.obstacles, problem = apply_obstacle_command(draft.obstacles, command, draft.growth)
    return problem


def _to_signal(scene: Scene, draft: Draft, command: SignalCommand) -> str:
    draft.signal, problem = apply_signal_command(scene.signal_plan, draft.signal, command)
    return problem


def _to_fault(_: Scene, draft: Draft, command: FaultCommand) -> str:
    # an NPC vehicle has no controls that could fail, but it may carry sensors
    sensor = isinstance(command, SetSensorFault)
    if not (_has_vehicle(draft, command.actor) if sensor else draft.row_of(command.actor) >= 0):
        return f"no vehicle {command.actor}"
    draft.fault, problem = change_faults(draft.fault, command, draft.time)
    return problem


def _to_mount(_: Scene, draft: Draft, command: MountCommand) -> str:
    if isinstance(command, AddSensor) and not _has_vehicle(draft, command.actor):
        return f"no vehicle {command.actor}"
    before = draft.mounts
    draft.mounts, problem = change_mounts(before, command, draft.time)
    if isinstance(command, AddSensor) and not problem:
        draft.made = command.sensor or before.next_number()
    if len(draft.fault) and len(draft.mounts) < len(before):
        # the next sensor may get the number of one that is gone, and is sound
        draft.fault = with_sensors(draft.fault, draft.mounts.table.id.tolist())
    return problem


def _has_vehicle(draft: Draft, actor: int) -> bool:
    """Whether there is a vehicle of any kind of this id."""
    return draft.row_of(actor) >= 0 or draft.traffic.row_of(actor) >= 0 or draft.ghost.row_of(actor) >= 0


def _to_friction(_: Scene, draft: Draft, command: FrictionCommand) -> str:
    draft.friction, problem = change_friction(draft.friction, command)
    if isinstance(command, RemoveMapObject) and not problem:
        forget(draft, (command.actor,))
    return problem


def _to_shade(_: Scene, draft: Draft, command: ShadeCommand) -> str:
    draft.shade, problem = change_shades(draft.shade, command)
    return problem


def _to_environment(_: Scene, draft: Draft, command: EnvironmentCommand) -> str:
    state = draft.environment.copy()
    problem = apply_environment_command(state, command)
    if not problem:
        draft.environment = state.freeze()
    return problem


def _making(effect: Callable[[Scene, Draft, Any], str]) -> Callable[[Scene, Draft, Any], str]:
    """An effect whose command gets the next id if it asks for a new actor; a refused command uses none up."""

    def apply(scene: Scene, draft: Draft, command: Any) -> str:
        if not isinstance(command, MAKERS) or command.actor != NEW_ACTOR:
            return "give no id; the world does" if isinstance(command, MAKERS) else effect(scene, draft, command)
        last = draft.last_id
        numbered = with_id(draft, command)
        problem = effect(scene, draft, numbered) if numbered is not None else ALL_IDS_GIVEN
        if problem:
            draft.take_back(last)
        return problem

    return apply


_GROUPS: tuple[tuple[Any, Callable[[Scene, Draft, Any], str]], ...] = (
    (PedestrianCommand, _making(_to_people)),
    (ObstacleCommand, _making(_to_obstacle)),
    (SignalCommand, _to_signal),
    (FaultCommand, _to_fault),
    (MountCommand, _to_mount),
    (FrictionCommand, _making(_to_friction)),
    (ShadeCommand, _to_shade),
    (EnvironmentCommand, _to_environment),
)
SURROUNDINGS_EFFECTS: dict[type[Any], Callable[[Scene, Draft, Any], str]] = {
    kind: effect for group, effect in _GROUPS for kind in get_args(group)
}
"""Effect of each command."""
