"""Puts traffic on the roads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.road.adjacency import FloatArray, IntArray, rows_and_numbers
from dorosim.world.traffic.driver import DRIVER, DriverParameter, draw_drivers
from dorosim.world.traffic.plan import TrafficPlan
from dorosim.world.traffic.road import LINK
from dorosim.world.traffic.state import TrafficState
from dorosim.world.vehicle.model import VehicleModel

PLACEMENT_GAP = 4.0
"""Gap between vehicles that are placed on one lane [m]."""


class PlacedBody(NamedTuple):
    """The size of a vehicle [m], and its model's index in the scene."""

    length: float
    width: float
    wheelbase: float
    front_overhang: float
    model: int = 0


CAR = PlacedBody(4.6, 1.85, 2.75, 0.9)
"""A middle-sized car."""


def body_of(model: VehicleModel, row: int) -> PlacedBody:
    """The body of a vehicle model, by its row of the catalogue, as traffic sees it."""
    return PlacedBody(model.length, model.width, model.wheelbase, model.front_overhang, row)


def new_traffic(
    ids: Sequence[int],
    bodies: Sequence[PlacedBody],
    link: IntArray,
    s: FloatArray,
    noise: Noise,
    driver: DriverParameter = DRIVER,
) -> TrafficState:
    """Vehicles that stand at given places, drive at random and wish the speed limits; writable.

    The caller may change any column before their first step.

    Args:
        ids: ascending.
        bodies: of each.
        link: `(N,)` rows of links.
        s: `(N,)` places of the front bumpers [m].
        noise: the run's randomness.
        driver: the kind of drivers.
    """
    state = TrafficState.zeros(len(ids))
    state.id[:] = ids
    state.present[:] = 1
    state.link[:] = link
    state.s[:] = s
    for column in (state.previous, state.before_previous, state.change_from, state.route, state.cursor):
        column[:] = -1
    state.may_change[:] = 1
    state.desired_speed[:] = 1.0
    kinds = {body: row for row, body in enumerate(dict.fromkeys(bodies))}
    rows = np.fromiter(map(kinds.__getitem__, bodies), np.int64, len(bodies))
    size = np.array(list(kinds), np.float64).reshape(-1, len(PlacedBody._fields))[rows]
    state.length[:], state.width[:], state.wheelbase[:], state.front_overhang[:] = size[:, :4].T
    state.model[:] = size[:, 4].astype(np.int64)
    draw_drivers(state, driver, noise)
    return state


def place_traffic(
    plan: TrafficPlan,
    ids: Sequence[int],
    bodies: Sequence[PlacedBody],
    noise: Noise,
    driver: DriverParameter = DRIVER,
) -> TrafficState:
    """Vehicles all over the map, at some of the `traffic_places` for the longest of them.

    Raises:
        InputError: if there is no room for so many.
    """
    link, s = traffic_places(plan, max((body.length for body in bodies), default=0.0))
    if len(ids) > len(link):
        raise InputError(
            "traffic", "", f"there is room for {len(link)} vehicles, not for {len(ids)}", "ask for fewer vehicles"
        )
    chosen = noise.stream("traffic/placement").permutation(len(link))[: len(ids)]
    return new_traffic(ids, bodies, link[chosen], s[chosen], noise, driver)


def traffic_places(plan: TrafficPlan, longest: float) -> tuple[IntArray, FloatArray]:
    """Places for vehicles of at most a length [m]: links and arc lengths of the front bumpers `(N,)` [m].

    They leave room between one another; none is in a junction and none where lanes part.
    """
    step = longest + PLACEMENT_GAP
    length = plan.road.link[:, LINK.length]
    lanes = np.flatnonzero(plan.drivable & (plan.road.link_ints[:-1, LINK.conflicting] == 0) & (length >= step + 2.0))
    begin = np.zeros(len(length))
    np.maximum.at(begin, plan.partings.link, plan.partings.end)
    counts = np.maximum((length[lanes] - 2.0 - begin[lanes]) / step, 0.0).astype(np.int64)
    row, number = rows_and_numbers(counts)
    link = lanes[row]
    return link, begin[link] + (number + 1) * step
