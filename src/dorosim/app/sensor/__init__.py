"""Sensors of a run: from settings and files to what is mounted, and single looks through them."""
