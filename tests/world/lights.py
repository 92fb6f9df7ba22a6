"""Traffic lights without roads."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from dorosim.road.adjacency import adjacency_from_lists
from dorosim.road.signal import Controller, Lamp, Light, Signals
from dorosim.world.command import Command
from dorosim.world.signal.state import SignalState
from dorosim.world.signal.update import SignalPlan
from tests.world.effect import changed

RED, YELLOW, GREEN, LEFT = int(Lamp.RED), int(Lamp.YELLOW), int(Lamp.GREEN), int(Lamp.LEFT)
CAR = ("red", "yellow", "left", "straight")
"""Lamps of a light with four."""


def plan_of_lights(lights: Sequence[Light], controller: Controller) -> SignalPlan:
    """The plan of a controller and of lights that govern no link."""
    nothing = adjacency_from_lists([])
    signals = Signals(tuple(lights), (controller,), nothing, np.zeros(0))
    network: Any = SimpleNamespace(signals=signals, link_movements=(), left_hand_traffic=False, successors=nothing)
    return SignalPlan.from_network(network)


def after(plan: SignalPlan, now: SignalState, command: Command) -> SignalState:
    """The state after a command that is done."""
    new, problem = changed("signal", now, command, plan=plan)
    assert not problem
    return new


def status(plan: SignalPlan, now: SignalState) -> list[int]:
    """The status of each light."""
    return now.light.status.tolist()
