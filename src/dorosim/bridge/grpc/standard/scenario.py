"""The service Scenario: scenario files, spawn points, friction areas."""

from __future__ import annotations

from dorosim.bridge.grpc.call import Procedure

SCENARIOS: dict[str, Procedure] = {}
"""By "Service/Name"."""
