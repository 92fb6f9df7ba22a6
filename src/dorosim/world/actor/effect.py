"""What commands do to actors of any kind: remove and pause them, one by one, by kind, or all at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dorosim.world.actor.category import Category, RemoveCategories, obstacles_left, people_left
from dorosim.world.actor.pause_effect import PAUSED, hold
from dorosim.world.collision.contact import ContactTable
from dorosim.world.draft import Draft
from dorosim.world.fault.table import without_actors
from dorosim.world.scene import Scene
from dorosim.world.snapshot import EGO
from dorosim.world.spawn.state import SpawnPoints
from dorosim.world.traffic.command import PauseActor, PauseRun, RemoveActor
from dorosim.world.vehicle.driver import TrajectoryTable


def _remove(_: Scene, draft: Draft, command: RemoveActor) -> str:
    actor = command.actor
    if actor == EGO:
        return "the ego vehicle stays"
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
        return f"no actor {actor}"
    forget(draft, (actor,))
    return ""


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


def _remove_categories(_: Scene, draft: Draft, command: RemoveCategories) -> str:
    categories = command.categories
    before = _all_ids(draft)
    if categories & Category.VEHICLE:
        draft.traffic = draft.traffic.take(draft.traffic.plan_of_ego != 0)
        draft.ghost = draft.ghost.take(np.zeros(len(draft.ghost), np.bool_))
    draft.people = people_left(draft.people, categories)
    draft.obstacles = obstacles_left(draft.obstacles, categories)
    if categories & Category.SPAWN_POINT:
        draft.spawn = SpawnPoints.empty()
    if categories & Category.MAP_OBJECT:
        draft.friction = draft.friction.without(frozenset(draft.friction.objects.id.tolist()))
    after = _all_ids(draft)
    forget(draft, tuple(actor for actor in before if actor not in after))
    return ""


def _all_ids(draft: Draft) -> dict[int, None]:
    """Ids of all that can be removed by their kind, in order."""
    tables = (draft.traffic, draft.ghost, draft.people.state, draft.obstacles.state, draft.friction.objects)
    return dict.fromkeys([*(actor for table in tables for actor in table.id.tolist()), *sorted(draft.spawn.ids())])


def _pause(_: Scene, draft: Draft, command: PauseActor) -> str:
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
            hold(table.paused, row, PAUSED, command.paused)
            return ""
    return f"no actor {actor} that moves by itself"


def _pause_run(_: Scene, draft: Draft, command: PauseRun) -> str:
    draft.paused = command.paused
    return ""


ACTOR_EFFECTS: dict[type[Any], Callable[[Scene, Draft, Any], str]] = {
    RemoveActor: _remove,
    RemoveCategories: _remove_categories,
    PauseActor: _pause,
    PauseRun: _pause_run,
}
"""Effect of each command."""
