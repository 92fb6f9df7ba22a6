"""Lets traffic drive, and looks at what must never happen: nobody touches anybody, nobody leaves the lanes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dorosim.road.location import locate
from dorosim.world.traffic.state import Presence
from tests.world.traffic.rig import TrafficRun, describe, overlaps

HARD = 6.0
"""Nobody brakes harder than this in everyday traffic [m/s²]."""


@dataclass
class Journal:
    """What happened in a run.

    Attributes:
        way: of each vehicle [m].
        standing, absent: the longest time that one stood, or was off the map [s].
        hard: how often somebody braked hard, in decisions.
        speed: mean of all [m/s].
    """

    way: np.ndarray
    standing: float = 0.0
    absent: float = 0.0
    hard: int = 0
    speed: float = 0.0


def watch(run: TrafficRun, seconds: float) -> Journal:
    """Let a time pass and look at what must never happen."""
    count = len(run.state)
    journal = Journal(np.zeros(count))
    still, off = np.zeros(count), np.zeros(count)
    ticks = round(seconds / run.dt)
    for tick in range(ticks):
        run.step()
        state = run.state
        here = state.present == Presence.ON_LANE
        journal.way += state.speed * run.dt
        journal.speed += float(state.speed.mean()) / ticks
        still = np.where(here & (state.speed < 0.1), still + run.dt, 0.0)
        off = np.where(here, 0.0, off + run.dt)
        journal.standing, journal.absent = max(journal.standing, still.max()), max(journal.absent, off.max())
        journal.hard += int((here & (state.acceleration < -HARD) & (state.speed > 1.0)).sum())
        if tick % 3 == 0:
            pairs = overlaps(state)
            assert not pairs, [describe(run, row) for row in pairs[0]]
        if tick % 100 == 0:
            assert np.isfinite(state.floats).all()
            assert_on_lanes(run)
    return journal


def assert_on_lanes(run: TrafficRun) -> None:
    """Nobody has left the lane graph: each body's rear axle is on a lane, or between two where it changes."""
    state, network = run.state, run.network
    here = (state.present == Presence.ON_LANE) & (state.s > state.length)
    settled = here & (state.change_from < 0)
    points = np.column_stack((state.x, state.y, state.z))
    place = locate(network, points[here], state.yaw[here], drivable_only=True)
    assert (np.abs(place.distance) < 2.6).all()  # half of the widest lane while one changes
    drawn = network.pose_at(state.link[settled], (state.s - state.front_overhang - state.wheelbase)[settled])
    assert np.linalg.norm(drawn.point - points[settled], axis=1).max() < 1.6
    assert (state.s[here] <= network.link_length[state.link[here]]).all()
