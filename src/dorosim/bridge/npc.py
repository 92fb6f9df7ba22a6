"""NPC vehicles as clients put them into the world: at a place, where there is a lane."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

import msgspec
import numpy as np

from dorosim.bridge.actor import ActorKind, kind_of
from dorosim.bridge.answer import Answer, Notice
from dorosim.bridge.host import Host
from dorosim.bridge.surroundings import lane_at
from dorosim.world.command import Vector
from dorosim.world.effect_common import is_pose
from dorosim.world.scene import Scene
from dorosim.world.snapshot import LAST_ID, Snapshot
from dorosim.world.traffic.command import CreateNpc, PlaceNpcGhost
from dorosim.world.vehicle.catalogue import VEHICLE_MODELS, nearest_model_row

STAND_IN = "stand-in"
"""Kind of the notice that a model stands for another one."""


def vehicle_to_make(model: str) -> tuple[str, str]:
    """Returns the model that is made for a requested vehicle, and a sentence if it stands for the requested model.

    Args:
        model: its name; an empty one stays empty, and is the name of none.
    """
    if not model.strip():
        return "", ""
    row, is_it = nearest_model_row(model)
    there = VEHICLE_MODELS[row].name
    return there, "" if is_it else f"there is no vehicle {model!r}; {there!r} stands for it"


def report_stand_in(host: Host, note: str) -> None:
    """Show users the note that one model stands for another, if it is not empty."""
    if note:
        host.runs.report(STAND_IN, note)


def _by_own_alias(now: Snapshot, order: PlaceNpcGhost, known: Collection[int]) -> PlaceNpcGhost:
    """Returns an order that names a ghost by its published id or number as an order that names it by its alias.

    So a program that sends back what it reads moves the ghosts that exist, and makes no new one each time.
    """
    if order.alias in known:
        return order
    ghost = now.ghost
    named = (ghost.id == order.alias) | (now.number.numbers_of(ghost.id) == order.alias)
    rows = np.flatnonzero((ghost.is_told == 0) & named)
    return msgspec.structs.replace(order, alias=int(ghost.alias[rows[0]])) if len(rows) else order


def npc_ghosts(now: Snapshot, orders: Iterable[PlaceNpcGhost]) -> Iterator[Answer]:
    """Places NPC ghosts; yields a notice to users where a new ghost gets another model than its own.

    New ghosts whose numbers are ids of other actors come last: else the ids that they get could be those that other
    ghosts of the message ask for.
    """
    known, late = set(now.ghost.alias.tolist()), []
    for order in (_by_own_alias(now, one, known) for one in orders):
        if order.alias not in known:
            _, note = vehicle_to_make(order.model)
            if note:
                yield Notice(STAND_IN, note)
            if kind_of(now, order.alias) is not ActorKind.NONE:
                late.append(order)
                continue
        yield order
    yield from late


def renamed_ghosts(now: Snapshot) -> tuple[tuple[int, int], ...]:
    """Returns the sender's number and the id of each ghost that is published by its id and not by that number."""
    ghosts = now.ghost
    if not ghosts.rows:
        return ()
    rows = np.flatnonzero((ghosts.is_told == 0) & (np.abs(ghosts.alias) <= LAST_ID))  # others are no sender's
    return tuple(zip(ghosts.alias[rows].tolist(), ghosts.id[rows].tolist(), strict=True))


def npc_at(
    scene: Scene, model: str, position: Vector, rotation: Vector, speed: float = 0.0, *, paused: bool = False
) -> CreateNpc:
    """Returns the command that puts an NPC vehicle onto the lane at a place, or at the given pose if no lane is near.

    Arguments as of `npc_on_lane`; rotation: roll, pitch, yaw [rad].
    """
    beside = CreateNpc(model=model, position=position, rotation=rotation, speed=speed, paused=paused)
    return npc_on_lane(scene, model, position, rotation[2], speed, paused=paused) or beside


def npc_on_lane(
    scene: Scene, model: str, position: Vector, yaw: float, speed: float = 0.0, *, paused: bool = False
) -> CreateNpc | None:
    """What puts an NPC vehicle onto the lane at a place; None where there is none.

    Args:
        scene: the map.
        model: name in the vehicle catalogue.
        position: in map [m].
        yaw: [rad]; of several lanes that along it counts.
        speed: at the start [m/s].
        paused: it stands until it is let go.
    """
    if not is_pose(position, yaw):
        return None
    link, s = lane_at(scene.network, position, yaw)
    return CreateNpc(model=model, link=link, s=s, speed=speed, paused=paused) if link >= 0 else None
