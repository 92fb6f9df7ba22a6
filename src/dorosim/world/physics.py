"""Version of the simulation's physics: recordings and snapshots of another version are refused."""

from __future__ import annotations

PHYSICS_VERSION = 2
"""Raised by one in every release in which some world goes on in another way than in the release before: vehicles,
traffic, people, lights, collisions, sensors' slow errors, or what a command does. Recordings and snapshots carry the
number they were made with, and are refused where it is another one (docs/decisions/0040-a-number-for-the-physics.md).
0 stands for dorosim 0.6.0 and earlier, whose files have none."""
