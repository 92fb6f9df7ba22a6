"""Vehicles that nobody drives from outside: they follow the lanes, the lights and one another."""
