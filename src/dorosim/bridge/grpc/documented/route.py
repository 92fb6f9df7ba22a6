"""Driving paths: routes, destinations, offset, auxiliary state (documents/grpc-api-en.txt, Driving Path)."""

from __future__ import annotations

from dorosim.bridge.grpc.call import Procedure

ROUTES: dict[str, Procedure] = {}
"""By name."""
