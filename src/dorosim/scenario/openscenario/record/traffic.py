"""Traffic that is made without naming each of its entities."""

from __future__ import annotations

from dorosim.scenario.openscenario.record.controller import Controller
from dorosim.scenario.openscenario.record.entity import ScenarioObjectTemplate
from dorosim.scenario.openscenario.record.parameter import Range
from dorosim.scenario.openscenario.record.position import Position
from dorosim.scenario.openscenario.record.property import Properties
from dorosim.scenario.openscenario.record.reference import CatalogReference
from dorosim.scenario.openscenario.record.table import (
    Record,
    UnsignedInt,
    attribute,
    child,
    children,
    choice,
    sequence,
    unordered,
)
from dorosim.scenario.openscenario.record.vehicle import Role, VehicleCategory


@choice(choice_required="1.3")
class TrafficAction(Record):
    """An action on traffic."""

    traffic_name: str | None = attribute("name by which TrafficStopAction means it", default=None, since="1.1")
    traffic_source_action: TrafficSourceAction | None = child(default=None)
    traffic_sink_action: TrafficSinkAction | None = child(default=None)
    traffic_swarm_action: TrafficSwarmAction | None = child(default=None)
    traffic_area_action: TrafficAreaAction | None = child(default=None, since="1.3")
    traffic_stop_action: TrafficStopAction | None = child(default=None, since="1.1")


@unordered()
class TrafficSourceAction(Record):
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
class TrafficSinkAction(Record):
    """Take traffic out at a place."""

    radius: float = attribute("[m]")
    rate: float | None = attribute("entities by second [1/s]", default=None)
    position: Position = child()
    traffic_definition: TrafficDefinition | None = child(default=None, deprecated="1.3")


@unordered()
class TrafficSwarmAction(Record):
    """Keep traffic around an entity."""

    inner_radius: float = attribute("within it nothing is made [m]")
    number_of_vehicles: UnsignedInt = attribute("how many at most")
    offset: float = attribute("of the ellipse's middle, forward [m]")
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
class TrafficAreaAction(Record):
    """Keep traffic in an area."""

    continuous: bool = attribute("whether what leaves is made again")
    number_of_entities: UnsignedInt = attribute("how many")
    traffic_distribution: TrafficDistribution = child()
    traffic_area: TrafficArea = child()


@sequence(since="1.1")
class TrafficStopAction(Record):
    """End the traffic action of the same name."""


@choice(since="1.3")
class TrafficArea(Record):
    """Where traffic is kept."""

    polygon: Polygon | None = child(default=None)
    road_ranges: tuple[RoadRange, ...] = children("RoadRange", default=())


@sequence(since="1.3")
class Polygon(Record):
    """An area between corners."""

    positions: tuple[Position, ...] = children("Position", default=(), required=(), least=3)


@sequence(since="1.3")
class RoadRange(Record):
    """A stretch along roads."""

    length: float | None = attribute("[m]", default=None)
    road_cursors: tuple[RoadCursor, ...] = children("RoadCursor", default=(), required=(), least=2)


@sequence(since="1.3")
class RoadCursor(Record):
    """A place where a stretch begins, ends or passes."""

    road_id: str = attribute("id of the road")
    s: float | None = attribute("along the reference line [m]", default=None)
    lanes: tuple[Lane, ...] = children("Lane", default=())


@sequence(since="1.3")
class Lane(Record):
    """A lane."""

    id: int = attribute("id")


@sequence()
class CentralSwarmObject(Record):
    """The entity in the middle of a swarm."""

    entity_ref: str = attribute("name of the entity")


@sequence(since="1.2")
class DirectionOfTravelDistribution(Record):
    """Which part of a swarm drives which way."""

    same: float = attribute("weight of the direction of the entity in the middle")
    opposite: float = attribute("weight of the other direction")


@unordered()
class TrafficDefinition(Record):
    """What traffic is made of."""

    name: str = attribute("name", assumed="")
    vehicle_category_distribution: VehicleCategoryDistribution = child()
    vehicle_role_distribution: VehicleRoleDistribution | None = child(default=None, since="1.2")
    controller_distribution: ControllerDistribution = child()


@sequence()
class VehicleCategoryDistribution(Record):
    """The categories of traffic."""

    vehicle_category_distribution_entries: tuple[VehicleCategoryDistributionEntry, ...] = children(
        "VehicleCategoryDistributionEntry", default=(), required=()
    )


@sequence()
class VehicleCategoryDistributionEntry(Record):
    """A category of traffic."""

    category: VehicleCategory = attribute("category")
    weight: float = attribute("weight")


@sequence(since="1.2")
class VehicleRoleDistribution(Record):
    """The roles of traffic."""

    vehicle_role_distribution_entries: tuple[VehicleRoleDistributionEntry, ...] = children(
        "VehicleRoleDistributionEntry", default=(), required=()
    )


@sequence(since="1.2")
class VehicleRoleDistributionEntry(Record):
    """A role of traffic."""

    role: Role = attribute("role")
    weight: float = attribute("weight")


@sequence()
class ControllerDistribution(Record):
    """The controllers of traffic."""

    controller_distribution_entries: tuple[ControllerDistributionEntry, ...] = children(
        "ControllerDistributionEntry", default=(), required=()
    )


@choice(choice_required="1.3")
class ControllerDistributionEntry(Record):
    """A controller of traffic."""

    weight: float = attribute("weight")
    controller: Controller | None = child(default=None)
    catalog_reference: CatalogReference | None = child(default=None)


@sequence(since="1.3")
class TrafficDistribution(Record):
    """What traffic is made of."""

    traffic_distribution_entries: tuple[TrafficDistributionEntry, ...] = children(
        "TrafficDistributionEntry", default=(), required=()
    )


@sequence(since="1.3")
class TrafficDistributionEntry(Record):
    """A part of traffic."""

    weight: float = attribute("weight")
    entity_distribution: EntityDistribution = child()
    properties: Properties | None = child(default=None)


@sequence(since="1.3")
class EntityDistribution(Record):
    """Entities of a part of traffic."""

    entity_distribution_entries: tuple[EntityDistributionEntry, ...] = children(
        "EntityDistributionEntry", default=(), required=()
    )


@sequence(since="1.3")
class EntityDistributionEntry(Record):
    """An entity of a part of traffic."""

    weight: float = attribute("weight")
    scenario_object_template: ScenarioObjectTemplate = child()
