"""Conditions on distances, and on times that follow from them."""

from __future__ import annotations

from dorosim.scenario.openscenario.record.parameter import Rule
from dorosim.scenario.openscenario.record.place import CoordinateSystem, RelativeDistanceType, RoutingAlgorithm
from dorosim.scenario.openscenario.record.position import Position
from dorosim.scenario.openscenario.record.reference import EntityRef
from dorosim.scenario.openscenario.record.table import (
    OscRecord,
    attribute,
    child,
    children,
    choice,
    sequence,
    unordered,
)


@sequence()
class TimeHeadwayCondition(OscRecord):
    """The time to where an entity is now."""

    along_route: bool | None = attribute(
        "old form of coordinateSystem", default=None, required=("1.0", "1.0"), deprecated="1.1", assumed=None
    )
    coordinate_system: CoordinateSystem | None = attribute("where the distance is measured", default=None, since="1.1")
    entity_ref: str = attribute("name of the entity")
    freespace: bool = attribute("whether it is measured between boxes", assumed=False)
    relative_distance_type: RelativeDistanceType | None = attribute(
        "direction of the distance", default=None, since="1.1"
    )
    routing_algorithm: RoutingAlgorithm | None = attribute("way of the distance", default=None, since="1.2")
    rule: Rule = attribute("comparison")
    value: float = attribute("[s]")


@unordered()
class TimeToCollisionCondition(OscRecord):
    """The time until a collision, with the speeds of now."""

    along_route: bool | None = attribute(
        "old form of coordinateSystem", default=None, required=("1.0", "1.0"), deprecated="1.1", assumed=None
    )
    coordinate_system: CoordinateSystem | None = attribute("where the distance is measured", default=None, since="1.1")
    freespace: bool = attribute("whether it is measured between boxes", assumed=False)
    relative_distance_type: RelativeDistanceType | None = attribute(
        "direction of the distance", default=None, since="1.1"
    )
    routing_algorithm: RoutingAlgorithm | None = attribute("way of the distance", default=None, since="1.2")
    rule: Rule = attribute("comparison")
    value: float = attribute("[s]")
    time_to_collision_condition_target: TimeToCollisionConditionTarget = child()


@choice(choice_required="1.3")
class TimeToCollisionConditionTarget(OscRecord):
    """What the collision is with."""

    position: Position | None = child(default=None)
    entity_ref: EntityRef | None = child(default=None)


@unordered(deprecated="1.2")
class ReachPositionCondition(OscRecord):
    """A place is reached."""

    tolerance: float = attribute("distance that counts as there [m]")
    position: Position = child()


@unordered()
class DistanceCondition(OscRecord):
    """The distance from a place."""

    along_route: bool | None = attribute(
        "old form of coordinateSystem", default=None, required=("1.0", "1.0"), deprecated="1.1", assumed=None
    )
    coordinate_system: CoordinateSystem | None = attribute("where it is measured", default=None, since="1.1")
    freespace: bool = attribute("whether it is measured from the box", assumed=False)
    relative_distance_type: RelativeDistanceType | None = attribute("direction", default=None, since="1.1")
    routing_algorithm: RoutingAlgorithm | None = attribute("way", default=None, since="1.2")
    rule: Rule = attribute("comparison")
    value: float = attribute("[m]")
    position: Position = child()


@sequence()
class RelativeDistanceCondition(OscRecord):
    """The distance from an entity."""

    coordinate_system: CoordinateSystem | None = attribute("where it is measured", default=None, since="1.1")
    entity_ref: str = attribute("name of the entity")
    freespace: bool = attribute("whether it is measured between boxes", assumed=False)
    relative_distance_type: RelativeDistanceType = attribute("direction")
    routing_algorithm: RoutingAlgorithm | None = attribute("way", default=None, since="1.2")
    rule: Rule = attribute("comparison")
    value: float = attribute("[m]")


@sequence(since="1.2")
class RelativeClearanceCondition(OscRecord):
    """Free space around."""

    distance_backward: float | None = attribute("[m]", default=None)
    distance_forward: float | None = attribute("[m]", default=None)
    free_space: bool = attribute("whether boxes count")
    opposite_lanes: bool = attribute("whether lanes of the other direction count")
    relative_lane_ranges: tuple[RelativeLaneRange, ...] = children("RelativeLaneRange", default=())
    entity_refs: tuple[EntityRef, ...] = children("EntityRef", default=())


@sequence(since="1.2")
class RelativeLaneRange(OscRecord):
    """Lanes beside an entity's."""

    from_: int | None = attribute("first lane, counted to the left", default=None)
    to: int | None = attribute("last lane", default=None)
