"""Every procedure that is done, by its path; three tables, one of each API.

Importing this imports protobuf and all of their modules, so only a gRPC server does.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType, ModuleType

from dorosim.bridge.grpc.bulk import BULK
from dorosim.bridge.grpc.call import Procedure
from dorosim.bridge.grpc.documented import ego as documented_ego
from dorosim.bridge.grpc.documented import fault as documented_fault
from dorosim.bridge.grpc.documented import friction as documented_friction
from dorosim.bridge.grpc.documented import link as documented_link
from dorosim.bridge.grpc.documented import people as documented_people
from dorosim.bridge.grpc.documented import route as documented_route
from dorosim.bridge.grpc.documented import scenario as documented_scenario
from dorosim.bridge.grpc.documented import sensor as documented_sensor
from dorosim.bridge.grpc.documented import signal as documented_signal
from dorosim.bridge.grpc.documented import simulator as documented_simulator
from dorosim.bridge.grpc.documented import spawn_point as documented_spawn_point
from dorosim.bridge.grpc.standard import actor as standard_actor
from dorosim.bridge.grpc.standard import environment as standard_environment
from dorosim.bridge.grpc.standard import fault as standard_fault
from dorosim.bridge.grpc.standard import infrastructure as standard_infrastructure
from dorosim.bridge.grpc.standard import people as standard_people
from dorosim.bridge.grpc.standard import resim as standard_resim
from dorosim.bridge.grpc.standard import road as standard_road
from dorosim.bridge.grpc.standard import scenario as standard_scenario
from dorosim.bridge.grpc.standard import scenario_file as standard_scenario_file
from dorosim.bridge.grpc.standard import sensor as standard_sensor
from dorosim.bridge.grpc.standard import simulation as standard_simulation
from dorosim.bridge.grpc.standard import simulator as standard_simulator
from dorosim.bridge.grpc.standard import util as standard_util
from dorosim.bridge.grpc.standard import vehicle as standard_vehicle
from dorosim.wire.grpc.descriptor import Api, methods

DOCUMENTED: Mapping[str, Procedure] = MappingProxyType(
    {
        **documented_ego.EGO_PROCEDURES,
        **documented_fault.FAULTS,
        **documented_friction.FRICTION,
        **documented_link.LINKS,
        **documented_people.PEOPLE,
        **documented_route.ROUTES,
        **documented_scenario.SCENARIOS,
        **documented_sensor.SENSORS,
        **documented_signal.SIGNALS,
        **documented_simulator.SIMULATOR,
        **documented_spawn_point.SPAWN_POINTS,
    }
)
"""Of the documented API, by name."""
STANDARD: Mapping[str, Procedure] = MappingProxyType(
    {
        **standard_actor.ACTORS,
        **standard_environment.ENVIRONMENT,
        **standard_fault.FAULTS,
        **standard_infrastructure.INFRASTRUCTURE,
        **standard_people.PEOPLE,
        **standard_road.MAPS,
        **standard_resim.RECORDINGS,
        **standard_scenario.SCENARIOS,
        **standard_scenario_file.SCENARIO_FILES,
        **standard_sensor.SENSORS,
        **standard_simulation.SIMULATION,
        **standard_simulator.SIMULATOR,
        **standard_util.UTILITIES,
        **standard_vehicle.VEHICLES,
    }
)
"""Of the Standard API, by "Service/Name"."""


def procedures() -> dict[str, Procedure]:
    """Every procedure that is done, by its path in the .proto files; those that stream are the endpoint's."""
    found = {}
    for method in methods():
        if method.api == "documented" and method.name in DOCUMENTED:
            found[method.path] = DOCUMENTED[method.name]
        key = f"{method.service.rpartition('.')[2]}/{method.name}"
        if method.api == "dorosim" and method.name in BULK:
            found[method.path] = BULK[method.name]
        if method.api == "standard" and key in STANDARD:
            found[method.path] = STANDARD[key]
    return found


def without_effect() -> dict[Api, dict[str, str]]:
    """What is accepted and changes nothing, and why, by API: procedures as "Service/Name", fields by their paths."""
    modules: dict[Api, tuple[ModuleType, ...]] = {
        "documented": (
            documented_ego,
            documented_fault,
            documented_friction,
            documented_link,
            documented_people,
            documented_route,
            documented_scenario,
            documented_sensor,
            documented_signal,
            documented_simulator,
            documented_spawn_point,
        ),
        "standard": (
            standard_actor,
            standard_environment,
            standard_fault,
            standard_infrastructure,
            standard_people,
            standard_resim,
            standard_road,
            standard_scenario,
            standard_scenario_file,
            standard_sensor,
            standard_simulation,
            standard_simulator,
            standard_util,
            standard_vehicle,
        ),
    }
    return {
        api: {key: why for one in group for key, why in getattr(one, "WITHOUT_EFFECT", {}).items()}
        for api, group in modules.items()
    }
