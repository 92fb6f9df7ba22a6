"""The service Map: MGeo files, links."""

from __future__ import annotations

from dorosim.bridge.grpc.call import Procedure

MAPS: dict[str, Procedure] = {}
"""By "Service/Name"."""
