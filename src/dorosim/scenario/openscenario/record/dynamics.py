"""How quantities change: shapes, limits and targets of speed."""

from __future__ import annotations

from dorosim.scenario.openscenario.record.table import OscRecord, Word, attribute, child, choice, group, sequence, words


@words()
class DynamicsDimension(Word):
    """What the value of a transition measures."""

    DISTANCE = "distance"
    RATE = "rate"
    TIME = "time"


@words()
class DynamicsShape(Word):
    """The shape of a transition."""

    CUBIC = "cubic"
    LINEAR = "linear"
    SINUSOIDAL = "sinusoidal"
    STEP = "step"


@words()
class FollowingMode(Word):
    """Whether a line is followed exactly or by a controller."""

    FOLLOW = "follow"
    POSITION = "position"


@words()
class SpeedTargetValueType(Word):
    """Whether a relative speed is a difference or a factor."""

    DELTA = "delta"
    FACTOR = "factor"


@words(since="1.1")
class LateralDisplacement(Word):
    """On which side of an entity a distance is kept."""

    ANY = "any"
    LEFT_TO_REFERENCED_ENTITY = "leftToReferencedEntity"
    RIGHT_TO_REFERENCED_ENTITY = "rightToReferencedEntity"


@words(since="1.1")
class LongitudinalDisplacement(Word):
    """Whether a distance is kept before or behind an entity."""

    ANY = "any"
    TRAILING_REFERENCED_ENTITY = "trailingReferencedEntity"
    LEADING_REFERENCED_ENTITY = "leadingReferencedEntity"


@sequence()
class TransitionDynamics(OscRecord):
    """How a value changes into another."""

    dynamics_dimension: DynamicsDimension = attribute("what the value measures", assumed=DynamicsDimension.TIME)
    dynamics_shape: DynamicsShape = attribute("shape")
    following_mode: FollowingMode | None = attribute("whether limits of the entity count", default=None, since="1.2")
    value: float = attribute("time [s], distance [m] or rate", assumed=0.0)


@sequence()
class DynamicConstraints(OscRecord):
    """Limits of a motion."""

    max_acceleration: float | None = attribute("[m/s2]", default=None)
    max_acceleration_rate: float | None = attribute("[m/s3]", default=None, since="1.2")
    max_deceleration: float | None = attribute("positive [m/s2]", default=None)
    max_deceleration_rate: float | None = attribute("positive [m/s3]", default=None, since="1.2")
    max_speed: float | None = attribute("[m/s]", default=None)


@choice(choice_required="1.3")
class SpeedActionTarget(OscRecord):
    """The speed to reach."""

    relative_target_speed: RelativeTargetSpeed | None = child(default=None)
    absolute_target_speed: AbsoluteTargetSpeed | None = child(default=None)


@sequence()
class AbsoluteTargetSpeed(OscRecord):
    """A speed."""

    value: float = attribute("[m/s]")


@sequence()
class RelativeTargetSpeed(OscRecord):
    """A speed relative to an entity's."""

    continuous: bool = attribute("whether it is kept from then on", assumed=False)
    entity_ref: str = attribute("name of the entity")
    speed_target_value_type: SpeedTargetValueType = attribute(
        "difference or factor", assumed=SpeedTargetValueType.DELTA
    )
    value: float = attribute("difference [m/s] or factor")


@choice(choice_required="1.3")
class FinalSpeed(OscRecord):
    """The speed at the end of a synchronisation."""

    absolute_speed: AbsoluteSpeed | None = child(default=None)
    relative_speed_to_master: RelativeSpeedToMaster | None = child(default=None)


@sequence()
class AbsoluteSpeed(OscRecord):
    """A speed at the end of a synchronisation."""

    value: float = attribute("[m/s]")
    steady_state: SteadyState | None = group(default=None, since="1.1")


@sequence()
class RelativeSpeedToMaster(OscRecord):
    """A speed at the end of a synchronisation, relative to the master's."""

    speed_target_value_type: SpeedTargetValueType = attribute("difference or factor")
    value: float = attribute("difference [m/s] or factor")
    steady_state: SteadyState | None = group(default=None, since="1.1")


@choice(since="1.1", is_group=True)
class SteadyState(OscRecord):
    """From where on the final speed is kept."""

    target_distance_steady_state: TargetDistanceSteadyState | None = child(default=None)
    target_time_steady_state: TargetTimeSteadyState | None = child(default=None)


@sequence(since="1.1")
class TargetDistanceSteadyState(OscRecord):
    """The final speed is kept for a distance before the target."""

    distance: float = attribute("[m]")


@sequence(since="1.1")
class TargetTimeSteadyState(OscRecord):
    """The final speed is kept for a time before the target."""

    time: float = attribute("[s]")
