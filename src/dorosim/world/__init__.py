"""Floor 2: what is true. Snapshot, commands, step, vehicles, signals.

`step(scene, now, commands, noise) -> Snapshot` is the only writer; nothing here does I/O or knows a wall clock.
"""
