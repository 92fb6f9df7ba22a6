"""Sensors and ground truth (documents/grpc-api-en.txt, Sensor)."""

from __future__ import annotations

from dorosim.bridge.grpc.call import Procedure

SENSORS: dict[str, Procedure] = {}
"""By name."""
