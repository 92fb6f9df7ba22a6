"""The service Actor: actors of any kind, and their states."""

from __future__ import annotations

from dorosim.bridge.grpc.call import Procedure

ACTORS: dict[str, Procedure] = {}
"""By "Service/Name"."""
