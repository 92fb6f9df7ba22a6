"""Drawings of maps."""
