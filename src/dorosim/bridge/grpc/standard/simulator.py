"""The service Simulator: version, time, maps, objects, data folder."""

from __future__ import annotations

from dorosim.bridge.grpc.call import Procedure

SIMULATOR: dict[str, Procedure] = {}
"""By "Service/Name"."""
