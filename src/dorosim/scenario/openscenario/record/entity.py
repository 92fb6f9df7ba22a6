"""The entities of a scenario."""

from __future__ import annotations

from dorosim.scenario.openscenario.record.controller import ObjectController
from dorosim.scenario.openscenario.record.parameter import ParameterDeclarations
from dorosim.scenario.openscenario.record.property import Properties
from dorosim.scenario.openscenario.record.reference import CatalogReference, EntityRef
from dorosim.scenario.openscenario.record.table import (
    OscRecord,
    attribute,
    child,
    children,
    choice,
    group,
    sequence,
    unordered,
)
from dorosim.scenario.openscenario.record.vehicle import (
    Axles,
    BoundingBox,
    MiscObjectCategory,
    ObjectType,
    PedestrianCategory,
    Performance,
    Role,
    TrailerCoupler,
    TrailerHitch,
    VehicleCategory,
)


@sequence()
class Entities(OscRecord):
    """All entities of a scenario, and selections of them."""

    scenario_objects: tuple[ScenarioObject, ...] = children("ScenarioObject", default=())
    entity_selections: tuple[EntitySelection, ...] = children("EntitySelection", default=())


@sequence()
class ScenarioObject(OscRecord):
    """A named entity."""

    name: str = attribute("name")
    entity_object: EntityObject = group()
    object_controllers: tuple[ObjectController, ...] = children("ObjectController", default=(), single_until="1.1")


@choice(is_group=True, choice_required="1.3")
class EntityObject(OscRecord):
    """What an entity is."""

    catalog_reference: CatalogReference | None = child(default=None)
    vehicle: Vehicle | None = child(default=None)
    pedestrian: Pedestrian | None = child(default=None)
    misc_object: MiscObject | None = child(default=None)
    external_object_reference: ExternalObjectReference | None = child(default=None, since="1.1")


@sequence(since="1.3")
class ScenarioObjectTemplate(OscRecord):
    """An entity that traffic is made of."""

    entity_object: EntityObject = group()
    object_controllers: tuple[ObjectController, ...] = children("ObjectController", default=())


@sequence(since="1.1")
class ExternalObjectReference(OscRecord):
    """An entity that the scenario does not make."""

    name: str = attribute("name by which the simulator knows it")


@unordered()
class Vehicle(OscRecord):
    """A vehicle."""

    mass: float | None = attribute("[kg]", default=None, since="1.1")
    model3d: str | None = attribute("file or name of its model", default=None, since="1.1")
    name: str = attribute("name of the type", assumed="")
    role: Role | None = attribute("role in traffic", default=None, since="1.2")
    vehicle_category: VehicleCategory = attribute("category", assumed=VehicleCategory.CAR)
    parameter_declarations: ParameterDeclarations | None = child(default=None)
    bounding_box: BoundingBox = child()
    performance: Performance = child()
    axles: Axles = child()
    properties: Properties | None = child(default=None, required=("1.0", "1.2"), assumed=None)
    trailer_hitch: TrailerHitch | None = child(default=None, since="1.3")
    trailer_coupler: TrailerCoupler | None = child(default=None, since="1.3")
    trailer: Trailer | None = child(default=None, since="1.3")


@choice(since="1.3")
class Trailer(OscRecord):
    """What a vehicle pulls."""

    trailer: ScenarioObject | None = child(default=None)
    trailer_ref: EntityRef | None = child(default=None)


@unordered()
class Pedestrian(OscRecord):
    """A person or an animal."""

    mass: float = attribute("[kg]", assumed=0.0)
    model: str | None = attribute(
        "old name of model3d", default=None, required=("1.0", "1.0"), deprecated="1.1", assumed=None
    )
    model3d: str | None = attribute("file or name of its model", default=None, since="1.1")
    name: str = attribute("name of the type", assumed="")
    pedestrian_category: PedestrianCategory = attribute("category", assumed=PedestrianCategory.PEDESTRIAN)
    role: Role | None = attribute("role in traffic", default=None, since="1.2")
    parameter_declarations: ParameterDeclarations | None = child(default=None)
    bounding_box: BoundingBox = child()
    properties: Properties | None = child(default=None, required=("1.0", "1.2"), assumed=None)


@unordered()
class MiscObject(OscRecord):
    """An object that is neither vehicle nor pedestrian."""

    mass: float = attribute("[kg]", assumed=0.0)
    misc_object_category: MiscObjectCategory = attribute("category", assumed=MiscObjectCategory.NONE)
    model3d: str | None = attribute("file or name of its model", default=None, since="1.1")
    name: str = attribute("name of the type", assumed="")
    parameter_declarations: ParameterDeclarations | None = child(default=None)
    bounding_box: BoundingBox = child()
    properties: Properties | None = child(default=None, required=("1.0", "1.2"), assumed=None)


@sequence()
class EntitySelection(OscRecord):
    """A named set of entities."""

    name: str = attribute("name")
    members: SelectedEntities = child()


@choice(choice_required="1.3")
class SelectedEntities(OscRecord):
    """The members of a selection."""

    entity_refs: tuple[EntityRef, ...] = children("EntityRef", default=())
    by_types: tuple[ByType, ...] = children("ByType", default=())


@sequence()
class ByType(OscRecord):
    """All entities of a type."""

    object_type: ObjectType = attribute("type")
