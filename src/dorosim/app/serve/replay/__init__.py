"""A recording on the live page: paused, searched and seen under another sky, without changing what is replayed."""
