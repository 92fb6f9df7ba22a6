"""References to entities and to entries of catalogs, and where catalogs are."""

from __future__ import annotations

from dataclasses import field

from dorosim.scenario.openscenario.record.parameter import ParameterAssignments
from dorosim.scenario.openscenario.record.property import Directory
from dorosim.scenario.openscenario.record.table import OscRecord, attribute, child, sequence, unordered


@sequence()
class EntityRef(OscRecord):
    """An entity, by name."""

    entity_ref: str = attribute("name of an entity or selection")


@sequence()
class CatalogReference(OscRecord):
    """An entry of a catalog, with values for its parameters."""

    catalog_name: str = attribute("name of the catalog")
    entry_name: str = attribute("name of the entry")
    parameter_assignments: ParameterAssignments | None = child(default=None)
    entry: OscRecord | None = field(default=None)
    """The entry, read with these values; the reader finds it."""

    @property
    def target(self) -> OscRecord | None:
        """The entry that it means."""
        return self.entry


@unordered()
class CatalogLocations(OscRecord):
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
class VehicleCatalogLocation(OscRecord):
    """Where the catalogs of vehicles are."""

    directory: Directory = child()


@unordered()
class ControllerCatalogLocation(OscRecord):
    """Where the catalogs of controllers are."""

    directory: Directory = child()


@unordered()
class PedestrianCatalogLocation(OscRecord):
    """Where the catalogs of pedestrians are."""

    directory: Directory = child()


@unordered()
class MiscObjectCatalogLocation(OscRecord):
    """Where the catalogs of other objects are."""

    directory: Directory = child()


@unordered()
class EnvironmentCatalogLocation(OscRecord):
    """Where the catalogs of environments are."""

    directory: Directory = child()


@unordered()
class ManeuverCatalogLocation(OscRecord):
    """Where the catalogs of maneuvers are."""

    directory: Directory = child()


@unordered()
class TrajectoryCatalogLocation(OscRecord):
    """Where the catalogs of trajectories are."""

    directory: Directory = child()


@unordered()
class RouteCatalogLocation(OscRecord):
    """Where the catalogs of routes are."""

    directory: Directory = child()
