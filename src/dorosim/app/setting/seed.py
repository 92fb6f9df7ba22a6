"""The seed that every command has unless another one is given. Its own module, so that `--help` loads little."""

from __future__ import annotations

USUAL_SEED = 0
"""Seed of all randomness where none is given, in every command."""
