"""The service Infrastructure: traffic lights and intersections."""

from __future__ import annotations

from dorosim.bridge.grpc.call import Procedure

INFRASTRUCTURE: dict[str, Procedure] = {}
"""By "Service/Name"."""
