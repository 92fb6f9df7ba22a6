"""Faults of controls, tyres and sensors (documents/grpc-api-en.txt, FaultStatus)."""

from __future__ import annotations

from dorosim.bridge.grpc.call import Procedure

FAULTS: dict[str, Procedure] = {}
"""By name."""
