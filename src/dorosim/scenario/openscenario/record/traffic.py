"""Traffic that is made without naming each of its entities."""

from __future__ import annotations

from dorosim.scenario.openscenario.record.parameter import Range
from dorosim.scenario.openscenario.record.position import Position
from dorosim.scenario.openscenario.record.table import (
    OscRecord,
    UnsignedInt,
    attribute,
    child,
    choice,
    sequence,
    unordered,
)
from dorosim.scenario.openscenario.record.traffic_area import TrafficArea
from dorosim.scenario.openscenario.record.traffic_content import TrafficDefinition, TrafficDistribution


@choice(choice_required="1.3")
class TrafficAction(OscRecord):
    """An action on traffic."""

    traffic_name: str | None = attribute("name by which TrafficStopAction means it", default=None, since="1.1")
    traffic_source_action: TrafficSourceAction | None = child(default=None)
    traffic_sink_action: TrafficSinkAction | None = child(default=None)
    traffic_swarm_action: TrafficSwarmAction | None = child(default=None)
    traffic_area_action: TrafficAreaAction | None = child(default=None, since="1.3")
    traffic_stop_action: TrafficStopAction | None = child(default=None, since="1.1")


@unordered()
class TrafficSourceAction(OscRecord):
    """Make traffic at a place."""

    radius: float = attribute("[m]")
    rate: float = attribute("entities by second [1/s]")
    speed: float | None = attribute("at the start [m/s]", default=None, since="1.2")
    velocity: float | None = attribute("old name of speed [m/s]", default=None, deprecated="1.2")
    position: Position = child()
    traffic_definition: TrafficDefinition | None = child(
        default=None, required=("1.0", "1.2"), assumed=None, deprecated="1.3"
    )
    traffic_distribution: TrafficDistribution | None = child(default=None, since="1.3")


@unordered()
class TrafficSinkAction(OscRecord):
    """Take traffic out at a place."""

    radius: float = attribute("[m]")
    rate: float | None = attribute("entities by second [1/s]", default=None)
    position: Position = child()
    traffic_definition: TrafficDefinition | None = child(default=None, deprecated="1.3")


@unordered()
class TrafficSwarmAction(OscRecord):
    """Keep traffic around an entity."""

    inner_radius: float = attribute("within it nothing is made [m]")
    number_of_vehicles: UnsignedInt = attribute("how many at most")
    offset: float = attribute("of the ellipse's middle, forward [m]", assumed=0.0)
    semi_major_axis: float = attribute("forward [m]")
    semi_minor_axis: float = attribute("to the side [m]")
    velocity: float | None = attribute("old form of InitialSpeedRange [m/s]", default=None, deprecated="1.2")
    central_object: CentralSwarmObject = child()
    traffic_definition: TrafficDefinition | None = child(
        default=None, required=("1.0", "1.2"), assumed=None, deprecated="1.3"
    )
    traffic_distribution: TrafficDistribution | None = child(default=None, since="1.3")
    initial_speed_range: Range | None = child(default=None, since="1.2")
    direction_of_travel_distribution: DirectionOfTravelDistribution | None = child(default=None, since="1.2")


@unordered(since="1.3")
class TrafficAreaAction(OscRecord):
    """Keep traffic in an area."""

    continuous: bool = attribute("whether what leaves is made again")
    number_of_entities: UnsignedInt = attribute("how many")
    traffic_distribution: TrafficDistribution = child()
    traffic_area: TrafficArea = child()


@sequence(since="1.1")
class TrafficStopAction(OscRecord):
    """End the traffic action of the same name."""


@sequence()
class CentralSwarmObject(OscRecord):
    """The entity in the middle of a swarm."""

    entity_ref: str = attribute("name of the entity")


@sequence(since="1.2")
class DirectionOfTravelDistribution(OscRecord):
    """Which part of a swarm drives which way."""

    same: float = attribute("weight of the direction of the entity in the middle")
    opposite: float = attribute("weight of the other direction")
