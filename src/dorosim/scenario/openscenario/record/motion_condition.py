"""Conditions on how an entity moves and what it meets."""

from __future__ import annotations

from dorosim.scenario.openscenario.record.parameter import Rule
from dorosim.scenario.openscenario.record.place import CoordinateSystem
from dorosim.scenario.openscenario.record.reference import EntityRef
from dorosim.scenario.openscenario.record.table import OscRecord, Word, attribute, child, choice, sequence, words
from dorosim.scenario.openscenario.record.vehicle import ObjectType


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


@sequence()
class EndOfRoadCondition(OscRecord):
    """The road has ended, for a time."""

    duration: float = attribute("[s]")


@choice(choice_required="1.3")
class CollisionCondition(OscRecord):
    """A collision."""

    entity_ref: EntityRef | None = child(default=None)
    by_type: ByObjectType | None = child(default=None)


@sequence()
class ByObjectType(OscRecord):
    """Any entity of a type."""

    type: ObjectType = attribute("type")


@sequence()
class OffroadCondition(OscRecord):
    """Off the road, for a time."""

    duration: float = attribute("[s]")


@sequence()
class AccelerationCondition(OscRecord):
    """The acceleration."""

    direction: DirectionalDimension | None = attribute("part of it", default=None, since="1.2")
    rule: Rule = attribute("comparison")
    value: float = attribute("[m/s2]")


@sequence()
class StandStillCondition(OscRecord):
    """Standing still, for a time."""

    duration: float = attribute("[s]")


@sequence()
class SpeedCondition(OscRecord):
    """The speed."""

    direction: DirectionalDimension | None = attribute("part of it", default=None, since="1.2")
    rule: Rule = attribute("comparison")
    value: float = attribute("[m/s]")


@sequence()
class RelativeSpeedCondition(OscRecord):
    """The speed relative to an entity."""

    direction: DirectionalDimension | None = attribute("part of it", default=None, since="1.2")
    entity_ref: str = attribute("name of the entity")
    rule: Rule = attribute("comparison")
    value: float = attribute("[m/s]")


@sequence()
class TraveledDistanceCondition(OscRecord):
    """The distance since the start."""

    value: float = attribute("[m]")


@sequence(since="1.3")
class AngleCondition(OscRecord):
    """An angle of the entity."""

    angle: float = attribute("[rad]")
    angle_tolerance: float = attribute("[rad]")
    angle_type: AngleType = attribute("which angle")
    coordinate_system: CoordinateSystem | None = attribute("where it is measured", default=None)


@sequence(since="1.3")
class RelativeAngleCondition(OscRecord):
    """An angle between two entities."""

    angle: float = attribute("[rad]")
    angle_tolerance: float = attribute("[rad]")
    angle_type: AngleType = attribute("which angle")
    coordinate_system: CoordinateSystem | None = attribute("where it is measured", default=None)
    entity_ref: str = attribute("name of the other one")
