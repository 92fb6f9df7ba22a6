"""Built-in scenarios, and OpenSCENARIO start and stop (documents/grpc-api-en.txt, Built-in Scenario, Open Scenario)."""

from __future__ import annotations

from dorosim.bridge.grpc.call import Procedure

SCENARIOS: dict[str, Procedure] = {}
"""By name."""
