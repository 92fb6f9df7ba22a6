"""Tests of the road floor."""
