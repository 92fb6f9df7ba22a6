"""The positions of the standard (ASAM OpenSCENARIO XML 1.3, 6.3.8)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from dorosim.road.opendrive.road_course_network import CourseNetwork
from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.motion import move_row
from dorosim.scenario.openscenario.engine.place import Place
from dorosim.scenario.openscenario.engine.placing import is_forward, put_on_lane, tilted
from dorosim.scenario.openscenario.engine.rows import EntityRow


class PositionPlan(Protocol):
    """A position, ready to be found."""

    def place(self, frame: StoryboardFrame) -> Place:
        """Where it is now."""


@dataclass(frozen=True, slots=True)
class OrientationPlan:
    """Angles of a position: absolute, or over those that the place has [rad]."""

    heading: float = 0.0
    pitch: float = 0.0
    roll: float = 0.0
    is_relative: bool = True
    is_given: bool = False

    def turned(self, place: Place) -> Place:
        """A place with these angles."""
        if not self.is_relative:
            return replace(place, heading=self.heading, pitch=self.pitch, roll=self.roll, oriented=True)
        return replace(
            place,
            heading=place.heading + self.heading,
            pitch=place.pitch + self.pitch if self.pitch else place.pitch,
            roll=place.roll + self.roll if self.roll else place.roll,
            oriented=self.is_given,
        )


@dataclass(frozen=True, slots=True)
class FixedPosition:
    """A position that is the same in the whole run."""

    fixed: Place

    def place(self, frame: StoryboardFrame) -> Place:
        """The place."""
        del frame
        return self.fixed


@dataclass(frozen=True, slots=True)
class MovingPosition:
    """A position beside an entity.

    Attributes:
        entity: number of the entity.
        find: makes the place of the entity's row.
    """

    entity: int
    find: Callable[[CourseNetwork | None, EntityRow], Place]

    def place(self, frame: StoryboardFrame) -> Place:
        """The place beside where the entity is now."""
        return self.find(frame.program.roads, frame.entity[self.entity])


def lane_place(roads: CourseNetwork, road: int, lane: int, s: float, offset: float, angles: OrientationPlan) -> Place:
    """A place on a lane; without angles of its own a body points where vehicles drive on the lane."""
    course = roads.roads[road]
    middle = course.middle(s, lane)
    t = (middle.t if middle else 0.0) + offset
    pose = course.pose(s, t)
    turn = 0.0 if lane == 0 or course.is_forward(lane) else math.pi
    heading = pose.heading + math.atan(middle.slope if middle else 0.0) + turn
    found = angles.turned(Place(pose.x, pose.y, math.nan, heading, math.nan, math.nan))
    pitch, roll = tilted(pose.pitch, pose.roll, found.heading - heading + turn)
    if math.isnan(found.pitch) and angles.is_relative and angles.pitch:
        found.pitch = pitch + angles.pitch
    if math.isnan(found.roll) and angles.is_relative and angles.roll:
        found.roll = roll + angles.roll
    found.road, found.lane, found.s, found.t, found.offset = road, lane, s, t, offset
    return found


def road_place(roads: CourseNetwork, road: int, s: float, t: float, angles: OrientationPlan) -> Place:
    """A place beside a reference line; a body points where vehicles drive on the lane there."""
    course = roads.roads[road]
    lane = course.lane_at(s, t)
    middle = course.middle(s, lane)
    return lane_place(roads, road, lane, s, t - (middle.t if middle else 0.0), angles)


def beside_world(dx: float, dy: float, dz: float | None, angles: OrientationPlan) -> Callable[..., Place]:
    """Beside an entity along the axes of the map; dz None: on the road there."""

    def find(roads: CourseNetwork | None, row: EntityRow) -> Place:
        del roads
        z = math.nan if dz is None else row.z + dz
        return _beside(row, row.x + dx, row.y + dy, z, angles)

    return find


def beside_object(dx: float, dy: float, dz: float | None, angles: OrientationPlan) -> Callable[..., Place]:
    """Beside an entity along the axes of its body, which may pitch and roll; dz None: on the road there."""

    def find(roads: CourseNetwork | None, row: EntityRow) -> Place:
        del roads
        x, y, z = _from_body(row, dx, dy, dz or 0.0)
        return _beside(row, x, y, math.nan if dz is None else z, angles)

    return find


def _beside(row: EntityRow, x: float, y: float, z: float, angles: OrientationPlan) -> Place:
    """A place that points as an entity does, but for angles of its own; pitch and roll are those of the road."""
    place = Place(x, y, z, row.heading, math.nan, math.nan)
    if angles.is_relative and (angles.pitch or angles.roll):
        place.pitch, place.roll = row.pitch, row.roll
    return angles.turned(place)


def _from_body(row: EntityRow, dx: float, dy: float, dz: float) -> tuple[float, float, float]:
    """A point of a body's frame in the map: rolled, then pitched, then turned (REP-103)."""
    cosine, sine = math.cos(row.roll), math.sin(row.roll)
    dy, dz = dy * cosine - dz * sine, dy * sine + dz * cosine
    cosine, sine = math.cos(row.pitch), math.sin(row.pitch)
    dx, dz = dx * cosine + dz * sine, dz * cosine - dx * sine
    cosine, sine = math.cos(row.heading), math.sin(row.heading)
    return row.x + dx * cosine - dy * sine, row.y + dx * sine + dy * cosine, row.z + dz


def beside_road(ds: float, dt: float, angles: OrientationPlan) -> Callable[..., Place]:
    """Beside an entity along its road, in the direction in which it points."""

    def find(roads: CourseNetwork | None, row: EntityRow) -> Place:
        if roads is None or row.road < 0:
            return beside_object(ds, dt, None, angles)(roads, row)
        sign = 1.0 if is_forward(row) else -1.0
        shadow = shadow_of(row)
        moved_along(roads, shadow, ds * sign)
        return road_place(roads, shadow.road, shadow.s, shadow.t + dt * sign, _as_entity(roads, row, angles))

    return find


def beside_lane(d_lane: int, ds: float, ds_lane: float, offset: float, angles: OrientationPlan) -> Callable[..., Place]:
    """Beside an entity along its lane, in the direction in which it points, some lanes to the left."""

    def find(roads: CourseNetwork | None, row: EntityRow) -> Place:
        if roads is None or row.road < 0:
            return beside_object(ds + ds_lane, offset, None, angles)(roads, row)
        sign = 1 if is_forward(row) else -1
        shadow = shadow_of(row)
        shadow.offset = 0.0
        put_on_lane(roads, shadow, shadow.road, lane_beside(row.lane, d_lane * sign), shadow.s, 0.0)
        length = ds
        if ds_lane:
            length += ds_lane / roads.roads[shadow.road].scale(shadow.s, shadow.t)
        moved_along(roads, shadow, length * sign)
        return lane_place(roads, shadow.road, shadow.lane, shadow.s, offset * sign, _as_entity(roads, row, angles))

    return find


def _as_entity(roads: CourseNetwork, row: EntityRow, angles: OrientationPlan) -> OrientationPlan:
    """Angles beside an entity: without ones of its own, a body drives against the traffic where the entity does."""
    against = row.lane != 0 and is_forward(row) != roads.roads[row.road].is_forward(row.lane)
    return OrientationPlan(heading=math.pi) if against and not angles.is_given else angles


def lane_beside(lane: int, steps: int) -> int:
    """Id of the lane so many to the left by rising s; there is no lane 0 to count."""
    found = lane + steps
    if found == 0 or (found > 0) != (lane > 0):
        found += 1 if steps > 0 else -1
    return lane if steps == 0 else found


def shadow_of(row: EntityRow) -> EntityRow:
    """A copy of a row."""
    made = EntityRow.__new__(EntityRow)
    made.__dict__.update(row.__dict__)
    return made


def moved_along(roads: CourseNetwork, row: EntityRow, ds: float) -> None:
    """Move a copy of a row along the reference lines."""
    move_row(roads, row, ds, [])
