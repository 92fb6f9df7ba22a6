"""Spawn points: places at which vehicles and people enter the world from time to time."""
