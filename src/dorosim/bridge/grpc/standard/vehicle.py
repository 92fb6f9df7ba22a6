"""The service Actor: vehicles."""

from __future__ import annotations

from dorosim.bridge.grpc.call import Procedure

VEHICLES: dict[str, Procedure] = {}
"""By "Service/Name"."""
