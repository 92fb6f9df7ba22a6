"""Tests of dorosim.app.video."""
