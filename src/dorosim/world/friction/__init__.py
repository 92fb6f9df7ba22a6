"""Friction of the ground under each wheel."""
