"""Queries of links (documents/grpc-api-en.txt, Open Scenario)."""

from __future__ import annotations

from dorosim.bridge.grpc.call import Procedure

LINKS: dict[str, Procedure] = {}
"""By name."""
