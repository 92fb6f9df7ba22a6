"""Constants of physics, and of places."""

from __future__ import annotations

from typing import Final

GRAVITY: Final = 9.81
"""Acceleration of free fall [m/s²], the value of the CommonRoad models."""
AIR_DENSITY: Final = 1.225
"""Of the standard atmosphere at sea level (ISO 2533) [kg/m³]."""
MAX_COORDINATE: Final = 1e6
"""No place on a map is farther from its origin along any axis [m]: beyond 1,000 km a number is a mistake."""
