"""Obstructions: bodies in the way of traffic: egos, ghosts, pedestrians, obstacles, vehicles off their lanes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dorosim.ground.column import IntArray, holds, read_only
from dorosim.world.actor.body import bodies_of, vehicle_bodies
from dorosim.world.collision.body import BodyTable
from dorosim.world.draft import Draft
from dorosim.world.scene import Scene
from dorosim.world.storyboard.visibility import HiddenFrom, hidden_actors, without_hidden
from dorosim.world.traffic.obstruction_kernel import MAX_LANES_UNDER_BODY, find_obstructions
from dorosim.world.traffic.plan import TrafficPlan
from dorosim.world.traffic.state import NO_OBSTRUCTION, Obstruction, Passing, Presence
from dorosim.world.vehicle.mode import ControlMode


def obstructions_of_bodies(
    plan: TrafficPlan, body: BodyTable, rows: IntArray, emergency: IntArray | None = None
) -> Obstruction:
    """The lanes on which bodies stand, or on which they are about to step; read-only.

    A body has a row on every lane of its level whose middle it comes so near to that a vehicle there would touch it,
    now or, as it moves sideways, within `SIDEWAYS_FORESIGHT`. So a pedestrian that waits at the kerb is in no vehicle's
    way, and one that steps towards a lane has a row before it is on the lane. Rows are ordered by body.

    Args:
        plan: the roads.
        body: bodies, writable or not.
        rows: `(N,)` which of them count: those that are not traffic on its lanes.
        emergency: rows of those whose emergency lamps flash; None for none.
    """
    if emergency is not None and len(emergency):
        others = obstructions_of_bodies(plan, body, np.setdiff1d(rows, emergency))
        flashing = obstructions_of_bodies(plan, body, emergency).copy()
        flashing.emergency[:] = 1.0
        return others.append(flashing).freeze()
    found = Obstruction(
        np.empty((Obstruction.float_width, MAX_LANES_UNDER_BODY * len(rows))),
        np.empty((len(Obstruction.int_columns), MAX_LANES_UNDER_BODY * len(rows)), np.int64),
    )
    count = find_obstructions(plan.grid, read_only(body.floats), np.array(rows, np.int64), found.floats, found.ints)
    return Obstruction(found.floats[:, :count].copy(), found.ints[:, :count].copy()).freeze()


_CRUISE = int(ControlMode.CRUISE)


def obstructions_in(scene: Scene, draft: Draft) -> Obstruction:
    """Egos, ghosts, people, obstacles, vehicles off their lanes or beside them to pass something.

    A cruising ego counts as its plan, a row of traffic.

    Args:
        scene: gives the lanes and sizes.
        draft: gives the actors that are there; packed.
    """
    found = _passing_vehicles(scene, draft)
    own: Sequence[int] = range(len(draft.egos))
    if holds(draft.vehicle.control_mode, _CRUISE):
        planned = set(draft.traffic.id[draft.traffic.plan_of_ego.nonzero()[0]].tolist())
        own = [row for row, actor in enumerate(draft.egos) if actor not in planned]
    if not own and draft.has_nobody_off_lanes():
        return found
    table = bodies_of(scene, draft, on_lane=False).table
    rows = np.array([*own, *range(len(draft.egos), len(table))], np.int64)
    rows = without_hidden(table, rows, hidden_actors(draft.storyboard, HiddenFrom.TRAFFIC))
    flashing = np.intersect1d(np.flatnonzero(draft.vehicle.emergency_lamp), rows)
    others = obstructions_of_bodies(scene.traffic_plan, table, rows, flashing)
    return others.append(found).freeze() if len(found) else others


def _passing_vehicles(scene: Scene, draft: Draft) -> Obstruction:
    """The vehicles of the traffic that are beside their lane to pass something, on all lanes but their own."""
    traffic = draft.traffic
    rows = np.flatnonzero((traffic.passing >= Passing.LANE_BESIDE) & (traffic.present == Presence.ON_LANE))
    found = NO_OBSTRUCTION
    if not len(rows):
        return found
    bodies = vehicle_bodies(scene, draft)
    at = bodies.npc + np.searchsorted(bodies.npc_row, rows)
    for row, body in zip(rows.tolist(), at.tolist(), strict=True):
        lanes = obstructions_of_bodies(scene.traffic_plan, bodies.table, np.array([body]))
        elsewhere = lanes.take(~np.isin(lanes.link, (traffic.link[row], traffic.previous[row])))
        elsewhere.passing_vehicle[:] = 1.0 + row
        found = found.append(elsewhere)
    return found.freeze()
