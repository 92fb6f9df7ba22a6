"""The service Util: a ray on request."""

from __future__ import annotations

from dorosim.bridge.grpc.call import Procedure

UTILITIES: dict[str, Procedure] = {}
"""By "Service/Name"."""
