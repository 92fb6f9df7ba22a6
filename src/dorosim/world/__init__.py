"""Floor 2: the world. Snapshot, commands, step, vehicles, signals.

`step(scene, now, commands, noise) -> Snapshot` is the only writer; nothing here does I/O or reads a wall clock.
"""
