"""Spinning lidars and planar ones."""
