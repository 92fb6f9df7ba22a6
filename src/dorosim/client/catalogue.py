"""All operations, as both clients have them."""

from __future__ import annotations

from dorosim.client.actor import ActorOperations
from dorosim.client.driving import DrivingOperations
from dorosim.client.environment import EnvironmentOperations
from dorosim.client.fault import FaultOperations
from dorosim.client.sensing import SensingOperations
from dorosim.client.signal import SignalOperations
from dorosim.client.simulation import SimulationOperations
from dorosim.client.states import StateOperations


class Operations(
    ActorOperations,
    DrivingOperations,
    EnvironmentOperations,
    FaultOperations,
    SensingOperations,
    SignalOperations,
    SimulationOperations,
    StateOperations,
):
    """What a client can do."""
