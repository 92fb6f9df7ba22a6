"""Floor 3: what sensors see: the geometry of a Snapshot, and the readings of each kind of sensor.

Nothing here is imported by a run without sensors, since its kernels are compiled when they are first used.
"""
