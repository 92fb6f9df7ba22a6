"""The modules of the documented API, in the order of the document's headings' names."""

from __future__ import annotations

from dorosim.bridge.grpc.documented import (
    ego,
    fault,
    friction,
    link,
    people,
    route,
    scenario,
    sensor,
    signal,
    simulator,
    spawn_point,
)

MODULES = (ego, fault, friction, link, people, route, scenario, sensor, signal, simulator, spawn_point)
