"""Ego and multi-ego vehicles: control, cruise, events, create, delete (documents/grpc-api-en.txt, Ego, MultiEgo)."""

from __future__ import annotations

from dorosim.bridge.grpc.call import Procedure

EGO_PROCEDURES: dict[str, Procedure] = {}
"""By name."""
