"""The service Simulation: start, stop, pause, synchronous mode, recordings."""

from __future__ import annotations

from typing import Any

from dorosim.bridge.grpc.call import Ask, Procedure, Situation
from dorosim.bridge.grpc.standard.result import result_of
from dorosim.world.command.traffic import PauseRun


def _pause(paused: bool) -> Procedure:
    def procedure(_: Any, __: Situation) -> Ask:
        return Ask((PauseRun(paused=paused),), result_of)

    return procedure


SIMULATION: dict[str, Procedure] = {"Simulation/Pause": _pause(True), "Simulation/Resume": _pause(False)}
"""By "Service/Name"."""
