"""Tests of the world floor."""
