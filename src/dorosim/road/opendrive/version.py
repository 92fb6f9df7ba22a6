"""Which files are read, and which maps they become: what has to be known before a file is parsed."""

from __future__ import annotations

CONVERSION_VERSION = 4
"""To be raised when the same file becomes another map, so that what is kept of it is made again."""

MAX_OPENDRIVE_SIZE = 1 << 25
"""A larger file [bytes] is refused: this much takes half a GB and half a minute. CARLA's largest town has 3 MB."""
