"""Speeds that the light, the curve and the traffic ahead allow: what a policy gets beside the observation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dorosim.sensor.agent.observation_kernel import CURVATURE_SCALE, LENGTH_SCALE, OFFSET_SCALE, SPEED_SCALE
from dorosim.sensor.agent.state import EgoFeature, LightFeature, NeighbourFeature, RoadFeature
from dorosim.world.signal.permission import Permission

Numbers = NDArray[np.float32]
Flags = NDArray[np.bool_]
CAUTIONS = 3
"""Speeds that are added: for the light, the curve and the traffic ahead."""
HALF_CAR, FRONT = 0.91, 3.7
"""Of the agents' vehicle: half of its width, and from its rear axle to its front [m]."""
LINE_MARGIN, GAP = 1.0, 3.0
"""An agent is to stop so far before a line, and behind a vehicle [m]."""
BRAKING, HARDEST, SIDEWAYS = 2.5, 5.0, 2.5
"""An agent is to brake by so much, for yellow by no more than the second, and is to take curves with so much acceleration
to the side [m/s²]."""
STANDING, NEAR = 0.25, 12.0
"""Slower than this [m/s] within so much before the line [m] is a stop, after which one may turn right on red."""
BESIDE = 2.0
"""A body so near to the way ahead is on it [m]."""
HASTE = 3.0
"""The reward falls until an agent is so much too fast [m/s]."""


class Cautions:
    """Speeds that what is ahead allows, worked out of observations.

    Args:
        settings: of the environment. worlds: how many.
    """

    def __init__(self, settings: Mapping[str, Any], worlds: int) -> None:
        self._road = len(EgoFeature) + settings["neighbours"] * len(NeighbourFeature)
        self._lights = self._road + settings["road_points"] * len(RoadFeature)
        self._points = np.arange(settings["road_points"] + 1) * settings["road_spacing"]
        self._reach, self._most = float(settings["light_reach"]), float(settings["max_speed"])
        self._near = float(settings["neighbour_reach"])
        self._stood = np.zeros(worlds, np.bool_)

    def added(self, observation: Numbers, rows: Flags | None = None) -> Numbers:
        """`(N, n + 3)` observations with these speeds behind them, over the largest one.

        Args:
            observation: `(N, n)` as the environment gives it.
            rows: worlds that they are of, at the beginning of an episode; None for the next step of all.
        """
        if rows is not None:
            self._stood[rows] = False
        where: slice | Flags = slice(None) if rows is None else rows
        speed = observation[:, EgoFeature.SPEED] * SPEED_SCALE
        for_light, stood = self._for_light(observation[:, self._lights :], speed, self._stood[where])
        self._stood[where] = stood
        road = observation[:, self._road : self._lights].reshape(len(observation), -1, len(RoadFeature))
        bodies = observation[:, len(EgoFeature) : self._road].reshape(len(observation), -1, len(NeighbourFeature))
        speeds = np.stack((for_light, self._for_curve(road), self._for_traffic(bodies, road, speed)), axis=1)
        allowed = np.minimum(speeds / self._most, 1.0).astype(np.float32)
        return np.concatenate((observation, allowed), axis=1)

    def _for_light(self, light: Numbers, speed: Numbers, stood: Flags) -> tuple[Numbers, Flags]:
        """At which an agent can still stop before a red light [m/s], and whether it has stopped there."""
        states = light[:, len(LightFeature) :] > 0.0
        far = light[:, LightFeature.DISTANCE] * self._reach
        turn = states[:, Permission.STOP_THEN_YIELD]
        stood = (stood | ((speed < STANDING) & (far < NEAR))) & (light[:, LightFeature.PRESENT] > 0.0) & (far < NEAR)
        room = np.maximum(far - LINE_MARGIN, 0.0)
        stops = states[:, Permission.STOP] | (turn & ~stood)
        stops |= states[:, Permission.CLEAR] & (speed * speed < 2.0 * HARDEST * room)
        return np.where(stops, np.sqrt(2.0 * BRAKING * room), np.float32(self._most)), stood

    def _for_curve(self, road: Numbers) -> Numbers:
        """At which it can still slow down for the curve ahead [m/s]."""
        bend = np.maximum(np.abs(road[:, :, RoadFeature.CURVATURE]) * CURVATURE_SCALE, 1e-3)
        found: Numbers = np.sqrt(SIDEWAYS / bend + 2.0 * BRAKING * self._points[:-1]).min(axis=1)
        return found

    def _for_traffic(self, bodies: Numbers, road: Numbers, speed: Numbers) -> Numbers:
        """At which it can still keep its distance from a body on its way [m/s]."""
        reach = np.float32(self._points[-1])
        way = np.zeros((len(road), len(self._points), 2), np.float32)
        way[:, 1:] = road[:, :, (RoadFeature.X, RoadFeature.Y)] * reach
        way = np.concatenate((way, 0.5 * (way[:, 1:] + way[:, :-1])), axis=1)
        along = np.concatenate((self._points, 0.5 * (self._points[1:] + self._points[:-1])))
        # beyond the end of the way its points are at the agent itself
        along = np.where(np.arange(way.shape[1]) == 0, 0.0, along)
        known = np.hypot(way[:, :, 0], way[:, :, 1]) > 1.0
        place = bodies[:, :, (NeighbourFeature.X, NeighbourFeature.Y)] * np.float32(self._near)
        apart = np.hypot(
            place[:, :, None, 0] - way[:, None, :, 0],
            place[:, :, None, 1] - way[:, None, :, 1],
        )
        apart = np.where(known[:, None, :], apart, np.inf)
        nearest = apart.argmin(axis=2)
        length = bodies[:, :, NeighbourFeature.LENGTH] * LENGTH_SCALE
        gap = np.maximum(along[nearest] - 0.5 * length - FRONT - GAP, 0.0)
        ahead = (bodies[:, :, NeighbourFeature.PRESENT] > 0.0) & (apart.min(axis=2) < BESIDE)
        ahead &= place[:, :, 0] > FRONT
        pace = np.maximum(speed[:, None] + bodies[:, :, NeighbourFeature.VELOCITY_X] * SPEED_SCALE, 0.0)
        allowed = np.where(ahead, np.sqrt(pace * pace + 2.0 * BRAKING * gap), self._most)
        found: Numbers = allowed.min(axis=1) if allowed.shape[1] else np.full(len(road), self._most)
        return found

    def haste(self, observation: Numbers) -> Numbers:
        """`(N,)` 0 to 1: how much too fast agents are; observations as `added` gives them."""
        speed, allowed = observation[:, EgoFeature.SPEED] * SPEED_SCALE, observation[:, -CAUTIONS:].min(axis=1)
        found: Numbers = np.clip((speed - allowed * self._most - 0.3) / HASTE, 0.0, 1.0)
        return found


def has_left(observation: Numbers) -> Flags:
    """`(N,)` whether a rear wheel of an agent is beyond the boundary of its lane."""
    edges = observation[:, (EgoFeature.LEFT_EDGE, EgoFeature.RIGHT_EDGE)].min(axis=1) * OFFSET_SCALE
    left: Flags = edges < HALF_CAR
    return left
