"""The service Sensor."""

from __future__ import annotations

from dorosim.bridge.grpc.call import Procedure

SENSORS: dict[str, Procedure] = {}
"""By "Service/Name"."""
