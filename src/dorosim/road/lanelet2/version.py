"""Which files are read, and which maps they become: what has to be known before a file is parsed."""

from __future__ import annotations

LANELET2_VERSION = 1
"""To be raised when the same file becomes another map, so that what is kept of it is made again."""

MAX_LANELET2_SIZE = 1 << 26
"""A larger file [bytes] is refused: it would need more than 1 GB. A city of 100 km of lanes has 20 MB."""
