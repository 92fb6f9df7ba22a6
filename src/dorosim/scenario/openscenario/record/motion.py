"""Actions along and across the lane."""

from __future__ import annotations

from dorosim.scenario.openscenario.record.dynamics import (
    DynamicConstraints,
    DynamicsShape,
    FollowingMode,
    LateralDisplacement,
    LongitudinalDisplacement,
    SpeedActionTarget,
    TransitionDynamics,
)
from dorosim.scenario.openscenario.record.place import CoordinateSystem
from dorosim.scenario.openscenario.record.table import (
    OscRecord,
    attribute,
    child,
    children,
    choice,
    sequence,
    unordered,
)


@choice(choice_required="1.3")
class LongitudinalAction(OscRecord):
    """An action along the lane."""

    speed_action: SpeedAction | None = child(default=None)
    longitudinal_distance_action: LongitudinalDistanceAction | None = child(default=None)
    speed_profile_action: SpeedProfileAction | None = child(default=None, since="1.2")


@unordered()
class SpeedAction(OscRecord):
    """Reach a speed."""

    speed_action_dynamics: TransitionDynamics = child()
    speed_action_target: SpeedActionTarget = child()


@sequence(since="1.2")
class SpeedProfileAction(OscRecord):
    """Go through speeds, one after another."""

    entity_ref: str | None = attribute("entity that speeds are relative to", default=None)
    following_mode: FollowingMode = attribute("whether limits of the entity count")
    dynamic_constraints: DynamicConstraints | None = child(default=None)
    speed_profile_entries: tuple[SpeedProfileEntry, ...] = children("SpeedProfileEntry", default=(), required=())


@sequence(since="1.2")
class SpeedProfileEntry(OscRecord):
    """A speed of a profile."""

    speed: float = attribute("[m/s]")
    time: float | None = attribute("since the entry before [s]", default=None)


@unordered()
class LongitudinalDistanceAction(OscRecord):
    """Reach a distance along the lane from an entity."""

    continuous: bool = attribute("whether it is kept from then on", assumed=False)
    coordinate_system: CoordinateSystem | None = attribute("where it is measured", default=None, since="1.1")
    displacement: LongitudinalDisplacement | None = attribute("before or behind", default=None, since="1.1")
    distance: float | None = attribute("[m]", default=None)
    entity_ref: str = attribute("name of the entity")
    freespace: bool = attribute("whether it is measured between boxes", assumed=False)
    time_gap: float | None = attribute("time to where the entity is [s]", default=None)
    dynamic_constraints: DynamicConstraints | None = child(default=None)


@choice(choice_required="1.3")
class LateralAction(OscRecord):
    """An action across the lane."""

    lane_change_action: LaneChangeAction | None = child(default=None)
    lane_offset_action: LaneOffsetAction | None = child(default=None)
    lateral_distance_action: LateralDistanceAction | None = child(default=None)


@unordered()
class LaneChangeAction(OscRecord):
    """Change to a lane."""

    target_lane_offset: float | None = attribute("to the left of the new lane's middle [m]", default=None)
    lane_change_action_dynamics: TransitionDynamics = child()
    lane_change_target: LaneChangeTarget = child()


@choice(choice_required="1.3")
class LaneChangeTarget(OscRecord):
    """The lane to change to."""

    relative_target_lane: RelativeTargetLane | None = child(default=None)
    absolute_target_lane: AbsoluteTargetLane | None = child(default=None)


@sequence()
class AbsoluteTargetLane(OscRecord):
    """A lane."""

    value: str = attribute("id of the lane")


@sequence()
class RelativeTargetLane(OscRecord):
    """A lane beside an entity's."""

    entity_ref: str = attribute("name of the entity")
    value: int = attribute("lanes to the left")


@unordered()
class LaneOffsetAction(OscRecord):
    """Reach an offset from the middle of the lane."""

    continuous: bool = attribute("whether it is kept from then on", assumed=False)
    lane_offset_action_dynamics: LaneOffsetActionDynamics = child()
    lane_offset_target: LaneOffsetTarget = child()


@sequence()
class LaneOffsetActionDynamics(OscRecord):
    """How an offset is reached."""

    dynamics_shape: DynamicsShape = attribute("shape")
    max_lateral_acc: float | None = attribute("greatest lateral acceleration [m/s2]", default=None)


@choice(choice_required="1.3")
class LaneOffsetTarget(OscRecord):
    """The offset to reach."""

    relative_target_lane_offset: RelativeTargetLaneOffset | None = child(default=None)
    absolute_target_lane_offset: AbsoluteTargetLaneOffset | None = child(default=None)


@sequence()
class AbsoluteTargetLaneOffset(OscRecord):
    """An offset from the middle of the lane."""

    value: float = attribute("to the left [m]")


@sequence()
class RelativeTargetLaneOffset(OscRecord):
    """An offset from an entity."""

    entity_ref: str = attribute("name of the entity")
    value: float = attribute("to the left [m]")


@unordered()
class LateralDistanceAction(OscRecord):
    """Reach a distance across the lane from an entity."""

    continuous: bool = attribute("whether it is kept from then on", assumed=False)
    coordinate_system: CoordinateSystem | None = attribute("where it is measured", default=None, since="1.1")
    displacement: LateralDisplacement | None = attribute("left or right", default=None, since="1.1")
    distance: float | None = attribute("[m]", default=None)
    entity_ref: str = attribute("name of the entity")
    freespace: bool = attribute("whether it is measured between boxes", assumed=False)
    dynamic_constraints: DynamicConstraints | None = child(default=None)
