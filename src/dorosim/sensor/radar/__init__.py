"""Radar: echoes of the actors in its field of view, hidden or not, faded, clustered, and among clutter."""
