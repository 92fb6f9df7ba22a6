"""What commands do to actors of any kind: remove and pause them, one by one, by kind, or all at once; name them."""

from __future__ import annotations

from typing import Any

import numpy as np

from dorosim.ground.column import IntArray
from dorosim.world.actor.command import Category, PauseActor, PauseRun, RemoveActor, RemoveCategories, SetLabel
from dorosim.world.actor.label import check_label
from dorosim.world.collision.contact import ContactTable
from dorosim.world.command import CommandError
from dorosim.world.draft import Draft
from dorosim.world.fault.table import without_actors
from dorosim.world.obstacle.state import Obstacles
from dorosim.world.pedestrian.state import Pedestrians
from dorosim.world.scene import Scene
from dorosim.world.snapshot import EGO
from dorosim.world.spawn.state import SpawnPoints
from dorosim.world.vehicle.driver import TrajectoryTable

_PAUSED, AI_OFF = 1, 2
"""Bits of the columns `paused`: it was paused; it may not decide for itself."""
EGO_NAME = "Ego"
"""The name of the first ego vehicle for every client (facts/ros-grpc-mgeo.md, 2.3)."""


def hold(column: IntArray, row: int, why: int, held: bool) -> None:
    """Set or take back one reason of a row."""
    column[row] = int(column[row]) | why if held else int(column[row]) & ~why


def remove_actor(_: Scene, draft: Draft, command: RemoveActor) -> None:
    actor = command.actor
    if actor == EGO:
        raise CommandError("the ego vehicle stays")
    if draft.row_of(actor) >= 0:
        remove_vehicle(draft, draft.row_of(actor))
    elif draft.traffic.row_of(actor) >= 0:
        draft.traffic = draft.traffic.without_row(draft.traffic.row_of(actor), draft.growth)
    elif draft.ghost.row_of(actor) >= 0:
        draft.ghost = draft.ghost.take(draft.ghost.id != actor)
    elif draft.people.row_of(actor) >= 0:
        draft.people = draft.people.without_row(draft.people.row_of(actor), draft.growth)
    elif draft.obstacles.row_of(actor) >= 0:
        draft.obstacles = draft.obstacles.without_row(draft.obstacles.row_of(actor), draft.growth)
    elif draft.friction.row_of(actor) >= 0:
        draft.friction = draft.friction.without(frozenset({actor}))
    elif draft.spawn.holds(actor):
        draft.spawn = draft.spawn.without((actor,))
    else:
        raise CommandError(f"no actor {actor}")
    forget(draft, (actor,))


def remove_vehicle(draft: Draft, row: int) -> None:
    """Take a vehicle with full dynamics out of all tables."""
    keep = np.ones(len(draft.egos), np.bool_)
    keep[row] = False
    actor = draft.egos[row]
    draft.egos = draft.egos[:row] + draft.egos[row + 1 :]
    draft.vehicle = draft.vehicle.take(keep)
    draft.parameter = draft.parameter.take(keep).freeze()
    points, counts = draft.trajectory.points[keep], draft.trajectory.counts[keep]
    draft.trajectory = TrajectoryTable(points, counts)
    draft.traffic = draft.traffic.take(draft.traffic.id != actor)
    if draft.camera == actor:
        draft.camera = EGO


def forget(draft: Draft, actors: tuple[int, ...]) -> None:
    """Remove what belongs to actors that left: goals, sensors, faults, contacts, names, numbers and scenario ids."""
    draft.gone.update(actors)
    draft.alias = draft.alias.without_actors(actors)
    draft.label = draft.label.without_actors(actors)
    if len(draft.goal):
        draft.goal = draft.goal.without_actors(actors)
    if len(draft.mounts):
        draft.mounts = draft.mounts.without_actors(actors)
    if len(draft.fault):
        draft.fault = without_actors(draft.fault, frozenset(actors))
    contact = draft.contact
    if len(contact):
        gone = np.isin(contact.first_id, actors) | np.isin(contact.second_id, actors)
        draft.contact = ContactTable(contact.floats[:, ~gone], contact.ints[:, ~gone])


def remove_categories(_: Scene, draft: Draft, command: RemoveCategories) -> None:
    categories = command.categories
    before = _all_ids(draft)
    if categories & Category.VEHICLE:
        draft.traffic = draft.traffic.take(draft.traffic.plan_of_ego != 0)
        draft.ghost = draft.ghost.take(np.zeros(len(draft.ghost), np.bool_))
    if categories & Category.PEDESTRIAN:
        draft.people = Pedestrians.empty()
    if categories & Category.OBSTACLE:
        draft.obstacles = Obstacles.empty()
    if categories & Category.SPAWN_POINT:
        draft.spawn = SpawnPoints.empty()
    if categories & Category.MAP_OBJECT:
        draft.friction = draft.friction.without(frozenset(draft.friction.objects.id.tolist()))
    after = _all_ids(draft)
    forget(draft, tuple(actor for actor in before if actor not in after))


def _all_ids(draft: Draft) -> dict[int, None]:
    """Ids of all that can be removed by their kind, in order."""
    tables = (draft.traffic, draft.ghost, draft.people.state, draft.obstacles.state, draft.friction.objects)
    return dict.fromkeys([*(actor for table in tables for actor in table.id.tolist()), *sorted(draft.spawn.ids())])


def pause_actor(_: Scene, draft: Draft, command: PauseActor) -> None:
    actor = command.actor
    tables: tuple[Any, ...] = (
        draft.vehicle,
        draft.traffic,
        draft.people.state,
        draft.obstacles.state,
    )
    for table in tables:
        row = table.row_of(actor)
        if row >= 0:
            hold(table.paused, row, _PAUSED, command.paused)
            return
    raise CommandError(f"no actor {actor} that moves by itself")


def pause_run(_: Scene, draft: Draft, command: PauseRun) -> None:
    draft.paused = command.paused


def set_label(_: Scene, draft: Draft, command: SetLabel) -> None:
    if not draft.has(command.actor):
        raise CommandError(f"there is no actor {command.actor}")
    check_label(command.name, command.owner)
    known = draft.label.all().get(command.actor, ("", ""))[0]
    if command.name != known and is_name_taken(draft, command.name):
        raise CommandError(f"{command.name!r} is the name of another one")
    draft.label = draft.label.with_label(command.actor, command.name, command.owner)


def is_name_taken(draft: Draft, name: str) -> bool:
    """Whether a name is in use already: as the name, the id or the reported number of an actor in the world."""
    if name == EGO_NAME:
        return True
    if name.isascii() and name.isdecimal() and len(name) < 11 and int(name) != draft.made:
        number = int(name)
        if draft.has(number) or draft.ghost.row_reported_as(number) >= 0:
            return True
    return bool(name) and any(draft.has(actor) for actor in draft.label.bearers_of(name))
