"""Map objects and friction areas (documents/grpc-api-en.txt, Friction)."""

from __future__ import annotations

from dorosim.bridge.grpc.call import Procedure

FRICTION: dict[str, Procedure] = {}
"""By name."""
