"""References to entities and to entries of catalogs, and where catalogs are."""

from __future__ import annotations

from dataclasses import field

from dorosim.scenario.openscenario.record.parameter import ParameterAssignments
from dorosim.scenario.openscenario.record.property import Directory
from dorosim.scenario.openscenario.record.table import Record, attribute, child, sequence, unordered


@sequence()
class EntityRef(Record):
    """An entity, by name."""

    entity_ref: str = attribute("name of an entity or selection")


@sequence()
class CatalogReference(Record):
    """An entry of a catalog, with values for its parameters."""

    catalog_name: str = attribute("name of the catalog")
    entry_name: str = attribute("name of the entry")
    parameter_assignments: ParameterAssignments | None = child(default=None)
    entry: Record | None = field(default=None)
    """The entry, read with these values; the reader finds it."""

    @property
    def target(self) -> Record | None:
        """The entry that it means."""
        return self.entry


@unordered()
class CatalogLocations(Record):
    """Where the catalogs are."""

    vehicle_catalog: VehicleCatalogLocation | None = child(default=None)
    controller_catalog: ControllerCatalogLocation | None = child(default=None)
    pedestrian_catalog: PedestrianCatalogLocation | None = child(default=None)
    misc_object_catalog: MiscObjectCatalogLocation | None = child(default=None)
    environment_catalog: EnvironmentCatalogLocation | None = child(default=None)
    maneuver_catalog: ManeuverCatalogLocation | None = child(default=None)
    trajectory_catalog: TrajectoryCatalogLocation | None = child(default=None)
    route_catalog: RouteCatalogLocation | None = child(default=None)


@unordered()
class VehicleCatalogLocation(Record):
    """Where the catalogs of vehicles are."""

    directory: Directory = child()


@unordered()
class ControllerCatalogLocation(Record):
    """Where the catalogs of controllers are."""

    directory: Directory = child()


@unordered()
class PedestrianCatalogLocation(Record):
    """Where the catalogs of pedestrians are."""

    directory: Directory = child()


@unordered()
class MiscObjectCatalogLocation(Record):
    """Where the catalogs of other objects are."""

    directory: Directory = child()


@unordered()
class EnvironmentCatalogLocation(Record):
    """Where the catalogs of environments are."""

    directory: Directory = child()


@unordered()
class ManeuverCatalogLocation(Record):
    """Where the catalogs of maneuvers are."""

    directory: Directory = child()


@unordered()
class TrajectoryCatalogLocation(Record):
    """Where the catalogs of trajectories are."""

    directory: Directory = child()


@unordered()
class RouteCatalogLocation(Record):
    """Where the catalogs of routes are."""

    directory: Directory = child()
