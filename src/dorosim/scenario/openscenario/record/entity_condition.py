"""Conditions on entities."""

from __future__ import annotations

from dorosim.scenario.openscenario.record.parameter import Rule
from dorosim.scenario.openscenario.record.place import CoordinateSystem, RelativeDistanceType, RoutingAlgorithm
from dorosim.scenario.openscenario.record.position import Position
from dorosim.scenario.openscenario.record.reference import EntityRef
from dorosim.scenario.openscenario.record.table import (
    Record,
    Word,
    attribute,
    child,
    children,
    choice,
    sequence,
    unordered,
    words,
)
from dorosim.scenario.openscenario.record.vehicle import ObjectType


@words()
class TriggeringEntitiesRule(Word):
    """Whether one entity or all must meet a condition."""

    ALL = "all"
    ANY = "any"


@words(since="1.2")
class DirectionalDimension(Word):
    """The part of a vector that is meant, in the entity's frame."""

    LONGITUDINAL = "longitudinal"
    LATERAL = "lateral"
    VERTICAL = "vertical"


@words(since="1.3")
class AngleType(Word):
    """Which angle is meant."""

    HEADING = "heading"
    PITCH = "pitch"
    ROLL = "roll"


@unordered()
class ByEntityCondition(Record):
    """A condition on entities."""

    triggering_entities: TriggeringEntities = child()
    entity_condition: EntityCondition = child()


@sequence()
class TriggeringEntities(Record):
    """The entities that must meet a condition."""

    triggering_entities_rule: TriggeringEntitiesRule = attribute(
        "one of them or all", assumed=TriggeringEntitiesRule.ANY
    )
    entity_refs: tuple[EntityRef, ...] = children("EntityRef", default=(), required=())


@choice(choice_required="1.3")
class EntityCondition(Record):
    """What entities must meet."""

    end_of_road_condition: EndOfRoadCondition | None = child(default=None)
    collision_condition: CollisionCondition | None = child(default=None)
    offroad_condition: OffroadCondition | None = child(default=None)
    time_headway_condition: TimeHeadwayCondition | None = child(default=None)
    time_to_collision_condition: TimeToCollisionCondition | None = child(default=None)
    acceleration_condition: AccelerationCondition | None = child(default=None)
    stand_still_condition: StandStillCondition | None = child(default=None)
    speed_condition: SpeedCondition | None = child(default=None)
    relative_speed_condition: RelativeSpeedCondition | None = child(default=None)
    traveled_distance_condition: TraveledDistanceCondition | None = child(default=None)
    reach_position_condition: ReachPositionCondition | None = child(default=None, deprecated="1.2")
    distance_condition: DistanceCondition | None = child(default=None)
    relative_distance_condition: RelativeDistanceCondition | None = child(default=None)
    relative_clearance_condition: RelativeClearanceCondition | None = child(default=None, since="1.2")
    angle_condition: AngleCondition | None = child(default=None, since="1.3")
    relative_angle_condition: RelativeAngleCondition | None = child(default=None, since="1.3")


@sequence()
class EndOfRoadCondition(Record):
    """The road has ended, for a time."""

    duration: float = attribute("[s]")


@choice(choice_required="1.3")
class CollisionCondition(Record):
    """A collision."""

    entity_ref: EntityRef | None = child(default=None)
    by_type: ByObjectType | None = child(default=None)


@sequence()
class ByObjectType(Record):
    """Any entity of a type."""

    type: ObjectType = attribute("type")


@sequence()
class OffroadCondition(Record):
    """Off the road, for a time."""

    duration: float = attribute("[s]")


@sequence()
class TimeHeadwayCondition(Record):
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
class TimeToCollisionCondition(Record):
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
class TimeToCollisionConditionTarget(Record):
    """What the collision is with."""

    position: Position | None = child(default=None)
    entity_ref: EntityRef | None = child(default=None)


@sequence()
class AccelerationCondition(Record):
    """The acceleration."""

    direction: DirectionalDimension | None = attribute("part of it", default=None, since="1.2")
    rule: Rule = attribute("comparison")
    value: float = attribute("[m/s2]")


@sequence()
class StandStillCondition(Record):
    """Standing still, for a time."""

    duration: float = attribute("[s]")


@sequence()
class SpeedCondition(Record):
    """The speed."""

    direction: DirectionalDimension | None = attribute("part of it", default=None, since="1.2")
    rule: Rule = attribute("comparison")
    value: float = attribute("[m/s]")


@sequence()
class RelativeSpeedCondition(Record):
    """The speed relative to an entity."""

    direction: DirectionalDimension | None = attribute("part of it", default=None, since="1.2")
    entity_ref: str = attribute("name of the entity")
    rule: Rule = attribute("comparison")
    value: float = attribute("[m/s]")


@sequence()
class TraveledDistanceCondition(Record):
    """The distance since the start."""

    value: float = attribute("[m]")


@unordered(deprecated="1.2")
class ReachPositionCondition(Record):
    """A place is reached."""

    tolerance: float = attribute("distance that counts as there [m]")
    position: Position = child()


@unordered()
class DistanceCondition(Record):
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
class RelativeDistanceCondition(Record):
    """The distance from an entity."""

    coordinate_system: CoordinateSystem | None = attribute("where it is measured", default=None, since="1.1")
    entity_ref: str = attribute("name of the entity")
    freespace: bool = attribute("whether it is measured between boxes", assumed=False)
    relative_distance_type: RelativeDistanceType = attribute("direction")
    routing_algorithm: RoutingAlgorithm | None = attribute("way", default=None, since="1.2")
    rule: Rule = attribute("comparison")
    value: float = attribute("[m]")


@sequence(since="1.2")
class RelativeClearanceCondition(Record):
    """Free space around."""

    distance_backward: float | None = attribute("[m]", default=None)
    distance_forward: float | None = attribute("[m]", default=None)
    free_space: bool = attribute("whether boxes count")
    opposite_lanes: bool = attribute("whether lanes of the other direction count")
    relative_lane_ranges: tuple[RelativeLaneRange, ...] = children("RelativeLaneRange", default=())
    entity_refs: tuple[EntityRef, ...] = children("EntityRef", default=())


@sequence(since="1.2")
class RelativeLaneRange(Record):
    """Lanes beside an entity's."""

    from_: int | None = attribute("first lane, counted to the left", default=None)
    to: int | None = attribute("last lane", default=None)


@sequence(since="1.3")
class AngleCondition(Record):
    """An angle of the entity."""

    angle: float = attribute("[rad]")
    angle_tolerance: float = attribute("[rad]")
    angle_type: AngleType = attribute("which angle")
    coordinate_system: CoordinateSystem | None = attribute("where it is measured", default=None)


@sequence(since="1.3")
class RelativeAngleCondition(Record):
    """An angle between two entities."""

    angle: float = attribute("[rad]")
    angle_tolerance: float = attribute("[rad]")
    angle_type: AngleType = attribute("which angle")
    coordinate_system: CoordinateSystem | None = attribute("where it is measured", default=None)
    entity_ref: str = attribute("name of the other one")
