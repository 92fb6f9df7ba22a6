"""Runs: from settings to the first snapshot, from tick to tick, to the end."""
