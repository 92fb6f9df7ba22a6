"""Floor 5: recordings: scene, seed and commands with a digest of every tick; written, read and replayed."""
