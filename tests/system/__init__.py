"""Tests of the system floor."""
