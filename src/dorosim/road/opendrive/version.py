"""Which files are read, and which maps they become: what has to be known before a file is parsed."""

from __future__ import annotations

CONVERSION_VERSION = 5
"""To be raised when the same file becomes another map, so that what is kept of it is made again."""

EXPORT_VERSION = 1
"""To be raised when the same map of links becomes other roads, so that the roads that are kept are made again."""

MAX_OPENDRIVE_SIZE = 1 << 24
"""A larger file [bytes] is refused: this much takes half a GB and ten seconds. CARLA's largest town has 3 MB."""

MAX_SECTIONS, MAX_GEOMETRIES, MAX_SIGNALS = 10_000, 50_000, 10_000
"""Lane sections, geometries and signals of a file; with more it is refused, since it would take longer than that."""
