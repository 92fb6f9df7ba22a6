"""What traffic is made of."""

from __future__ import annotations

from dorosim.scenario.openscenario.record.controller import Controller
from dorosim.scenario.openscenario.record.entity import ScenarioObjectTemplate
from dorosim.scenario.openscenario.record.property import Properties
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
from dorosim.scenario.openscenario.record.vehicle import Role, VehicleCategory


@unordered()
class TrafficDefinition(OscRecord):
    """What traffic is made of."""

    name: str = attribute("name", assumed="")
    vehicle_category_distribution: VehicleCategoryDistribution = child()
    vehicle_role_distribution: VehicleRoleDistribution | None = child(default=None, since="1.2")
    controller_distribution: ControllerDistribution = child()


@sequence()
class VehicleCategoryDistribution(OscRecord):
    """The categories of traffic."""

    vehicle_category_distribution_entries: tuple[VehicleCategoryDistributionEntry, ...] = children(
        "VehicleCategoryDistributionEntry", default=(), required=()
    )


@sequence()
class VehicleCategoryDistributionEntry(OscRecord):
    """A category of traffic."""

    category: VehicleCategory = attribute("category")
    weight: float = attribute("weight")


@sequence(since="1.2")
class VehicleRoleDistribution(OscRecord):
    """The roles of traffic."""

    vehicle_role_distribution_entries: tuple[VehicleRoleDistributionEntry, ...] = children(
        "VehicleRoleDistributionEntry", default=(), required=()
    )


@sequence(since="1.2")
class VehicleRoleDistributionEntry(OscRecord):
    """A role of traffic."""

    role: Role = attribute("role")
    weight: float = attribute("weight")


@sequence()
class ControllerDistribution(OscRecord):
    """The controllers of traffic."""

    controller_distribution_entries: tuple[ControllerDistributionEntry, ...] = children(
        "ControllerDistributionEntry", default=(), required=()
    )


@choice(choice_required="1.3")
class ControllerDistributionEntry(OscRecord):
    """A controller of traffic."""

    weight: float = attribute("weight")
    controller: Controller | None = child(default=None)
    catalog_reference: CatalogReference | None = child(default=None)


@sequence(since="1.3")
class TrafficDistribution(OscRecord):
    """What traffic is made of."""

    traffic_distribution_entries: tuple[TrafficDistributionEntry, ...] = children(
        "TrafficDistributionEntry", default=(), required=()
    )


@sequence(since="1.3")
class TrafficDistributionEntry(OscRecord):
    """A part of traffic."""

    weight: float = attribute("weight")
    entity_distribution: EntityDistribution = child()
    properties: Properties | None = child(default=None)


@sequence(since="1.3")
class EntityDistribution(OscRecord):
    """Entities of a part of traffic."""

    entity_distribution_entries: tuple[EntityDistributionEntry, ...] = children(
        "EntityDistributionEntry", default=(), required=()
    )


@sequence(since="1.3")
class EntityDistributionEntry(OscRecord):
    """An entity of a part of traffic."""

    weight: float = attribute("weight")
    scenario_object_template: ScenarioObjectTemplate = child()
