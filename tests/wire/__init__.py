"""Tests of the wire floor."""
