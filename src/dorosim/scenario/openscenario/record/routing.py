"""Actions that give an entity a way, a place or a meeting."""

from __future__ import annotations

from dorosim.scenario.openscenario.record.dynamics import FinalSpeed, FollowingMode
from dorosim.scenario.openscenario.record.place import ReferenceContext
from dorosim.scenario.openscenario.record.position import Position, Route, Trajectory, TrajectoryRef
from dorosim.scenario.openscenario.record.reference import CatalogReference
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
class RoutingAction(OscRecord):
    """An action that gives an entity its way."""

    assign_route_action: AssignRouteAction | None = child(default=None)
    follow_trajectory_action: FollowTrajectoryAction | None = child(default=None)
    acquire_position_action: AcquirePositionAction | None = child(default=None)
    random_route_action: RandomRouteAction | None = child(default=None, since="1.3")


@choice(choice_required="1.3")
class AssignRouteAction(OscRecord):
    """Follow a route."""

    route: Route | None = child(default=None)
    catalog_reference: CatalogReference | None = child(default=None)


@unordered()
class FollowTrajectoryAction(OscRecord):
    """Follow a trajectory."""

    initial_distance_offset: float | None = attribute("where on it to start [m]", default=None, since="1.1")
    trajectory: Trajectory | None = child(default=None, deprecated="1.1")
    catalog_reference: CatalogReference | None = child(default=None, deprecated="1.1")
    time_reference: TimeReference = child()
    trajectory_following_mode: TrajectoryFollowingMode = child()
    trajectory_ref: TrajectoryRef | None = child(default=None, since="1.1")


@choice(choice_required="1.3")
class TimeReference(OscRecord):
    """Whether the times of a trajectory count."""

    none: NoTimeReference | None = child(default=None)
    timing: Timing | None = child(default=None)


@sequence(name="None")
class NoTimeReference(OscRecord):
    """The times of a trajectory do not count."""


@sequence()
class Timing(OscRecord):
    """How the times of a trajectory count."""

    domain_absolute_relative: ReferenceContext = attribute(
        "from the start of the run or of the action", assumed=ReferenceContext.ABSOLUTE
    )
    offset: float = attribute("[s]", assumed=0.0)
    scale: float = attribute("factor", assumed=1.0)


@sequence()
class TrajectoryFollowingMode(OscRecord):
    """How a trajectory is followed."""

    following_mode: FollowingMode = attribute("exactly or by a controller", assumed=FollowingMode.POSITION)


@unordered()
class AcquirePositionAction(OscRecord):
    """Drive to a place by a route of one's own."""

    position: Position = child()


@sequence(since="1.3")
class RandomRouteAction(OscRecord):
    """Drive on at random."""


@sequence()
class TeleportAction(OscRecord):
    """Be at a place at once."""

    position: Position = child()


@unordered()
class SynchronizeAction(OscRecord):
    """Arrive at a place when the master arrives at its own."""

    master_entity_ref: str = attribute("name of the master")
    target_tolerance: float | None = attribute(
        "distance from the place that counts as there [m]", default=None, since="1.1"
    )
    target_tolerance_master: float | None = attribute("the same for the master [m]", default=None, since="1.1")
    target_position_master: Position = child()
    target_position: Position = child()
    final_speed: FinalSpeed | None = child(default=None)


@sequence()
class VisibilityAction(OscRecord):
    """Be seen or not."""

    graphics: bool = attribute("in pictures", assumed=True)
    sensors: bool = attribute("by sensors", assumed=True)
    traffic: bool = attribute("by other traffic", assumed=True)
    sensor_reference_set: SensorReferenceSet | None = child(default=None, since="1.2")


@sequence(since="1.2")
class SensorReferenceSet(OscRecord):
    """Sensors that an action is about."""

    sensor_references: tuple[SensorReference, ...] = children("SensorReference", default=(), required=())


@sequence(since="1.2")
class SensorReference(OscRecord):
    """A sensor."""

    name: str = attribute("name")
