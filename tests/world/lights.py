"""Traffic lights without roads."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from dorosim.road.adjacency import adjacency_from_lists
from dorosim.road.signal import Controller, Light, Signals
from dorosim.world.signal.update import SignalPlan


def plan_of_lights(lights: Sequence[Light], controller: Controller) -> SignalPlan:
    """The plan of a controller and of lights that govern no link."""
    nothing = adjacency_from_lists([])
    signals = Signals(tuple(lights), (controller,), nothing, np.zeros(0))
    network: Any = SimpleNamespace(signals=signals, link_movements=(), left_hand_traffic=False, successors=nothing)
    return SignalPlan.from_network(network)
