"""The service Environment: time, weather, season, friction of the roads, visibility."""

from __future__ import annotations

from dorosim.bridge.grpc.call import Procedure

ENVIRONMENT: dict[str, Procedure] = {}
"""By "Service/Name"."""
