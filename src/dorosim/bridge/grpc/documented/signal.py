"""Traffic lights and intersections (documents/grpc-api-en.txt, Traffic, Intersection)."""

from __future__ import annotations

from dorosim.bridge.grpc.call import Procedure

SIGNALS: dict[str, Procedure] = {}
"""By name."""
