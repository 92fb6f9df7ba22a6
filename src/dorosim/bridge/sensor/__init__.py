"""Readings to what is sent and saved."""
