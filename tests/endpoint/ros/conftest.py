"""A small master, and a node that is registered there (node_rig.py)."""

from __future__ import annotations

from tests.endpoint.ros.node_rig import master, run

__all__ = ("master", "run")
