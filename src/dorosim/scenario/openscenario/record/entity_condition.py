"""Conditions on entities."""

from __future__ import annotations

from dorosim.scenario.openscenario.record.distance_condition import (
    DistanceCondition,
    ReachPositionCondition,
    RelativeClearanceCondition,
    RelativeDistanceCondition,
    TimeHeadwayCondition,
    TimeToCollisionCondition,
)
from dorosim.scenario.openscenario.record.motion_condition import (
    AccelerationCondition,
    AngleCondition,
    CollisionCondition,
    EndOfRoadCondition,
    OffroadCondition,
    RelativeAngleCondition,
    RelativeSpeedCondition,
    SpeedCondition,
    StandStillCondition,
    TraveledDistanceCondition,
)
from dorosim.scenario.openscenario.record.reference import EntityRef
from dorosim.scenario.openscenario.record.table import (
    OscRecord,
    Word,
    attribute,
    child,
    children,
    choice,
    sequence,
    unordered,
    words,
)


@words()
class TriggeringEntitiesRule(Word):
    """Whether one entity or all must meet a condition."""

    ALL = "all"
    ANY = "any"


@unordered()
class ByEntityCondition(OscRecord):
    """A condition on entities."""

    triggering_entities: TriggeringEntities = child()
    entity_condition: EntityCondition = child()


@sequence()
class TriggeringEntities(OscRecord):
    """The entities that must meet a condition."""

    triggering_entities_rule: TriggeringEntitiesRule = attribute(
        "one of them or all", assumed=TriggeringEntitiesRule.ANY
    )
    entity_refs: tuple[EntityRef, ...] = children("EntityRef", default=(), required=())


@choice(choice_required="1.3")
class EntityCondition(OscRecord):
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
