"""Tests of dorosim.app.trace."""
