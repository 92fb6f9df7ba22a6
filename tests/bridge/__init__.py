"""Tests of the bridge floor."""
