"""The sensors of a run: planned, opened, listed, and looked through."""
