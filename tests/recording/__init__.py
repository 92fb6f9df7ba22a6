"""Tests of the recording floor."""
