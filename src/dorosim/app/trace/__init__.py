"""What recordings tell of their actors: runs a recording again and reads series over time."""
