"""Spawn points: places at which vehicles and pedestrians enter the world from time to time."""
