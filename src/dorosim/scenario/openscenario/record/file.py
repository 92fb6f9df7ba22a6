"""A file of the standard: a scenario, a catalog or distributions."""

from __future__ import annotations

from dorosim.scenario.openscenario.record.controller import Controller
from dorosim.scenario.openscenario.record.distribution import ParameterValueDistributionDefinition
from dorosim.scenario.openscenario.record.entity import Entities, MiscObject, Pedestrian, Vehicle
from dorosim.scenario.openscenario.record.environment import Environment
from dorosim.scenario.openscenario.record.evaluation import Evaluation, SimulatorInfo
from dorosim.scenario.openscenario.record.parameter import (
    MonitorDeclarations,
    ParameterDeclarations,
    VariableDeclarations,
)
from dorosim.scenario.openscenario.record.position import Position, Route, Trajectory
from dorosim.scenario.openscenario.record.property import File, FileHeader
from dorosim.scenario.openscenario.record.reference import CatalogLocations
from dorosim.scenario.openscenario.record.signal import TrafficSignals
from dorosim.scenario.openscenario.record.storyboard import Maneuver, Storyboard
from dorosim.scenario.openscenario.record.table import (
    EXTENSION,
    OscRecord,
    attribute,
    child,
    children,
    choice,
    group,
    sequence,
)


@sequence()
class OpenScenario(OscRecord):
    """A file of the standard."""

    file_header: FileHeader = child()
    open_scenario_category: OpenScenarioCategory = group()


@choice(is_group=True)
class OpenScenarioCategory(OscRecord):
    """What a file holds."""

    scenario_definition: ScenarioDefinition | None = group(default=None)
    catalog_definition: CatalogDefinition | None = group(default=None)
    parameter_value_distribution_definition: ParameterValueDistributionDefinition | None = group(
        default=None, since="1.1"
    )


@sequence(is_group=True)
class ScenarioDefinition(OscRecord):
    """A scenario."""

    parameter_declarations: ParameterDeclarations | None = child(default=None)
    variable_declarations: VariableDeclarations | None = child(default=None, since="1.2")
    monitor_declarations: MonitorDeclarations | None = child(default=None, since="1.3")
    catalog_locations: CatalogLocations = child()
    road_network: RoadNetwork = child()
    entities: Entities = child()
    storyboard: Storyboard = child()
    simulator_info: SimulatorInfo | None = child(default=None, since=EXTENSION)
    evaluation: Evaluation | None = child(default=None, since=EXTENSION)


@sequence()
class RoadNetwork(OscRecord):
    """The roads of a scenario."""

    logic_file: File | None = child(default=None)
    scene_graph_file: File | None = child(default=None)
    traffic_signals: TrafficSignals | None = child(default=None)
    used_area: UsedArea | None = child(default=None, since="1.1")


@sequence(since="1.1")
class UsedArea(OscRecord):
    """The part of the roads that a scenario uses."""

    positions: tuple[Position, ...] = children("Position", default=(), required=(), least=2)


@sequence(is_group=True)
class CatalogDefinition(OscRecord):
    """What a file of a catalog holds."""

    catalog: Catalog = child()


@sequence()
class Catalog(OscRecord):
    """Named entries, for reuse."""

    name: str | None = attribute("name", default=None, required=("1.3", "1.3"))
    vehicles: tuple[Vehicle, ...] = children("Vehicle", default=())
    controllers: tuple[Controller, ...] = children("Controller", default=())
    pedestrians: tuple[Pedestrian, ...] = children("Pedestrian", default=())
    misc_objects: tuple[MiscObject, ...] = children("MiscObject", default=())
    environments: tuple[Environment, ...] = children("Environment", default=())
    maneuvers: tuple[Maneuver, ...] = children("Maneuver", default=())
    trajectories: tuple[Trajectory, ...] = children("Trajectory", default=())
    routes: tuple[Route, ...] = children("Route", default=())
