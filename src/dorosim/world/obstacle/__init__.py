"""Obstacles: things that stand or move on the road."""
