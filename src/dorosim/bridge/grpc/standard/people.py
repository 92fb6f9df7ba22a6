"""The service Actor: pedestrians and obstacles."""

from __future__ import annotations

from dorosim.bridge.grpc.call import Procedure

PEOPLE: dict[str, Procedure] = {}
"""By "Service/Name"."""
