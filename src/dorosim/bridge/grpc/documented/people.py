"""Pedestrians, obstacles, and the pause of one object (documents/grpc-api-en.txt, Pedestrian, Obstacle / Object)."""

from __future__ import annotations

from dorosim.bridge.grpc.call import Procedure

PEOPLE: dict[str, Procedure] = {}
"""By name."""
