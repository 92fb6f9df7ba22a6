"""The program: its state, its mode, its map; and what of the newest messages dorosim does not have."""

from __future__ import annotations

from typing import NoReturn

from dorosim.bridge.host import StartOrder
from dorosim.bridge.tcp_step.situation import NotSupportedError, StepSituation
from dorosim.ground.error import InputError
from dorosim.wire.message import Wire
from dorosim.wire.tcp_step.request import Empty, LoadMap, LoadTrafficScenario, SetSimulatorMode, TrafficGenerate
from dorosim.wire.tcp_step.response import SimulatorMode, SimulatorState, StepResult

LOADS, READY = 3, 4
"""States of a program: another run is loaded, which is only told, and it can be asked for everything."""
SCENARIO = 1
"""The one mode of dorosim. MODES: all that the protocol has."""
MODES = range(1, 6)


def simulator_status(_: Empty, to: StepSituation) -> Wire:
    """Whether it is ready."""
    to.peer.show_newest()
    return SimulatorState(state=READY)


def simulator_mode(_: Empty, to: StepSituation) -> Wire:
    """Its mode."""
    to.peer.show_newest()
    return SimulatorMode(mode=SCENARIO)


def set_simulator_mode(request: SetSimulatorMode, to: StepSituation) -> Wire:
    """Another mode, of which there is none."""
    to.peer.show_newest()
    if request.mode == SCENARIO:
        return StepResult()
    if request.mode not in MODES:
        raise InputError("SetSimulatorMode", "", f"mode {request.mode} is not valid", "use 1 to 5")
    raise NotSupportedError(f"SetSimulatorMode: dorosim has one mode, {SCENARIO}, scenario")


def load_map(request: LoadMap, to: StepSituation) -> Wire:
    """A run on another map, or the present one from its start."""
    to.peer.show_newest()
    if not request.map_name.strip():
        raise InputError("LoadMap", "", "the name is missing", f"use one of {', '.join(to.at.host.files.maps())}")
    to.at.host.runs.start(StartOrder(map_name=request.map_name))
    return StepResult()


def load_traffic(_: LoadTrafficScenario | TrafficGenerate, to: StepSituation) -> NoReturn:
    """Traffic by files whose form is not public."""
    to.peer.show_newest()
    raise NotSupportedError(".anmroutes files are not public; traffic is made by the settings, scenarios and gRPC")
