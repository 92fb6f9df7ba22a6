"""Tests of spawn points."""
