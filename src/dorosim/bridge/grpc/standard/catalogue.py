"""The modules of the Standard API."""

from __future__ import annotations

from dorosim.bridge.grpc.standard import (
    actor,
    environment,
    fault,
    infrastructure,
    people,
    resim,
    road,
    scenario,
    sensor,
    simulation,
    simulator,
    util,
    vehicle,
)

MODULES = (
    *(actor, environment, fault, infrastructure, people, resim, road),
    *(scenario, sensor, simulation, simulator, util, vehicle),
)
