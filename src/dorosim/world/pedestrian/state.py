"""The state of every pedestrian, and their routes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Self

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import Columns, float64, int64
from dorosim.ground.unit import METRE, METRE_PER_SECOND, METRE_PER_SECOND2, RADIAN, RADIAN_PER_SECOND, RATIO, SECOND
from dorosim.world.waypoint import WaypointRoutes
from dorosim.world.waypoint_follower import Travellers


class Stage(IntEnum):
    """What a pedestrian is doing.

    IDLE: has not started. WALK: on the way to a waypoint. WAIT: stands at a crosswalk until it may cross. CROSS: on a
    crosswalk. REST: pauses at a waypoint. ARRIVED: stands at the end of its way. DRIVEN: goes where a command says.
    DOWN: was hit; it slides to rest and stays there. LED: is where commands put it, tick by tick, and does nothing
    itself.
    """

    IDLE = 0
    WALK = 1
    WAIT = 2
    CROSS = 3
    REST = 4
    ARRIVED = 5
    DRIVEN = 6
    DOWN = 7
    LED = 8


class PedestrianState(Columns):
    """One row per pedestrian, in ascending order of ids. The origin is the centre of the base (seams, Frames)."""

    x = float64(METRE, "centre of the base, east", frame="map")
    y = float64(METRE, "centre of the base, north", frame="map")
    z = float64(METRE, "centre of the base, up; follows the ground", frame="map")
    yaw = float64(RADIAN, "direction of view, counter-clockwise from east, -pi to pi", frame="map")
    speed = float64(METRE_PER_SECOND, "over ground")
    velocity_x = float64(METRE_PER_SECOND, "east", frame="map")
    velocity_y = float64(METRE_PER_SECOND, "north", frame="map")
    acceleration_x = float64(METRE_PER_SECOND2, "east", frame="map")
    acceleration_y = float64(METRE_PER_SECOND2, "north", frame="map")
    yaw_rate = float64(RADIAN_PER_SECOND, "counter-clockwise")
    desired_speed = float64(METRE_PER_SECOND, "at which it walks when nothing holds it up")
    active_distance = float64(METRE, "it starts when an ego vehicle is nearer than this; 0: on command only")
    move_distance = float64(METRE, "how far it walks straight ahead, if it was made so; 0 with a route")
    walked = float64(METRE, "way behind it since it started")
    leg_x = float64(METRE, "where the present leg of its way began, east", frame="map")
    leg_y = float64(METRE, "where the present leg of its way began, north", frame="map")
    crossing_begin = float64(METRE, "from there to the next crosswalk on the leg; infinite for none")
    crossing_end = float64(METRE, "from there to the end of that crosswalk; infinite for none")
    rest = float64(SECOND, "REST: time until it goes on; LED: until it is taken to stand if no more is heard")
    allowed_speed = float64(METRE_PER_SECOND, "that vehicles and obstacles in its way leave; infinite for any")
    aside_x = float64(
        RATIO, "direction around something that stands in its way, east; zeros for straight on", frame="map"
    )
    aside_y = float64(RATIO, "direction around something that stands in its way, north", frame="map")
    wall_x = float64(
        RATIO, "direction away from something that it stands close to, east; zeros for nothing", frame="map"
    )
    wall_y = float64(RATIO, "direction away from something that it stands close to, north", frame="map")
    fall_angle = float64(
        RADIAN,
        "DOWN: by which it has fallen, on its face if positive, on its back if negative; 0 upright, pi/2 it lies",
    )
    fall_speed = float64(METRE_PER_SECOND, "DOWN: downwards, where the ground has fallen away")
    drive_x = float64(METRE_PER_SECOND, "DRIVEN: commanded velocity, east", frame="map")
    drive_y = float64(METRE_PER_SECOND, "DRIVEN: commanded velocity, north", frame="map")
    id = int64("actor id")
    model = int64("row of the catalogue")
    mode = int64("CharacterMode")
    stage = int64("Stage")
    started = int64("1 if it was told to start")
    paused = int64("1 while it is paused: it stands still and does nothing")
    waypoint = int64("the point of its route that it goes to, or stands at")
    direction = int64("1 along its route, -1 back")
    crosswalk = int64("row of the next crosswalk on its leg, -1 none; in WAIT and CROSS the one that it is at")
    side = int64("on which it goes around what stands in its way: 1 left, -1 right, 0 nothing does; 2 it steps back")
    barred = int64("1 if something stands on the point that it goes to, and it can come no nearer")
    drawn = int64("how many random choices it made")
    leaves = int64("1 if it leaves the world where its way ends")
    origin = int64("id of the spawn point that it came from, 0 for none")
    segment = int64("road segment under it, a hint for the next search; -1 none")


class CrosswalkState(Columns):
    """What pedestrians saw of each crosswalk when they last looked; no rows before the first pedestrian has come."""

    gap = float64(SECOND, "time until the next vehicle is there; infinite for none")
    walk = int64("Walk: what its heads say, NONE without a lit head")


@dataclass(frozen=True, slots=True, eq=False)
class Pedestrians(Travellers[PedestrianState]):
    """All pedestrians of a run.

    Attributes:
        state: one row each. route: the points of their ways; the first is where each began.
    """

    state: PedestrianState
    route: WaypointRoutes

    @classmethod
    def empty(cls) -> Self:
        """A table without pedestrians."""
        return cls(PedestrianState.zeros(0).freeze(), WaypointRoutes.from_routes([]))

    def departed(self) -> NDArray[np.bool_]:
        """`(N,)` whether each has come to the end of its way and leaves the world there; remove it after the tick."""
        gone: NDArray[np.bool_] = (self.state.leaves != 0) & (self.state.stage == Stage.ARRIVED)
        return gone
