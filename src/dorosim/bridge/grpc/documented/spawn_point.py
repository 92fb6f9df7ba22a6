"""Spawn points of vehicles and pedestrians (documents/grpc-api-en.txt, SpawnPoint)."""

from __future__ import annotations

from dorosim.bridge.grpc.call import Procedure

SPAWN_POINTS: dict[str, Procedure] = {}
"""By name."""
