"""Tests of the app floor."""
