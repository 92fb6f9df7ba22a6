"""The state of every pedestrian, and their routes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Self

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import Columns, real, whole
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

    x = real(METRE, "centre of the base, east", frame="map")
    y = real(METRE, "centre of the base, north", frame="map")
    z = real(METRE, "centre of the base, up; follows the ground", frame="map")
    yaw = real(RADIAN, "direction of view, counter-clockwise from east, -pi to pi", frame="map")
    speed = real(METRE_PER_SECOND, "over ground")
    velocity_x = real(METRE_PER_SECOND, "east", frame="map")
    velocity_y = real(METRE_PER_SECOND, "north", frame="map")
    acceleration_x = real(METRE_PER_SECOND2, "east", frame="map")
    acceleration_y = real(METRE_PER_SECOND2, "north", frame="map")
    yaw_rate = real(RADIAN_PER_SECOND, "counter-clockwise")
    desired_speed = real(METRE_PER_SECOND, "at which it walks when nothing holds it up")
    active_distance = real(METRE, "it starts when an ego vehicle is nearer than this; 0: on command only")
    move_distance = real(METRE, "how far it walks straight ahead, if it was made so; 0 with a route")
    walked = real(METRE, "way behind it since it started")
    leg_x = real(METRE, "where the present leg of its way began, east", frame="map")
    leg_y = real(METRE, "where the present leg of its way began, north", frame="map")
    crossing_begin = real(METRE, "from there to the next crosswalk on the leg; infinite for none")
    crossing_end = real(METRE, "from there to the end of that crosswalk; infinite for none")
    rest = real(SECOND, "REST: time until it goes on; LED: until it is taken to stand if no more is heard")
    allowed_speed = real(METRE_PER_SECOND, "that vehicles and obstacles in its way leave; infinite for any")
    aside_x = real(RATIO, "direction around something that stands in its way, east; zeros for straight on", frame="map")
    aside_y = real(RATIO, "direction around something that stands in its way, north", frame="map")
    wall_x = real(RATIO, "direction away from something that it stands close to, east; zeros for nothing", frame="map")
    wall_y = real(RATIO, "direction away from something that it stands close to, north", frame="map")
    drive_x = real(METRE_PER_SECOND, "DRIVEN: commanded velocity, east", frame="map")
    drive_y = real(METRE_PER_SECOND, "DRIVEN: commanded velocity, north", frame="map")
    id = whole("actor id")
    model = whole("row of the catalogue")
    mode = whole("CharacterMode")
    stage = whole("Stage")
    started = whole("1 if it was told to start")
    paused = whole("1 while it is paused: it stands still and does nothing")
    waypoint = whole("the point of its route that it goes to, or stands at")
    direction = whole("1 along its route, -1 back")
    crosswalk = whole("row of the next crosswalk on its leg, -1 none; in WAIT and CROSS the one that it is at")
    side = whole("on which it goes around what stands in its way: 1 left, -1 right, 0 nothing does; 2 it steps back")
    barred = whole("1 if something stands on the point that it goes to, and it can come no nearer")
    drawn = whole("how many random choices it made")
    leaves = whole("1 if it leaves the world where its way ends")
    origin = whole("id of the spawn point that it came from, 0 for none")
    segment = whole("road segment under it, a hint for the next search; -1 none")


class CrosswalkState(Columns):
    """What pedestrians saw of each crosswalk when they last looked; no rows before the first pedestrian has come."""

    gap = real(SECOND, "time until the next vehicle is there; infinite for none")
    walk = whole("Walk: what its heads say, NONE without a lit head")


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
