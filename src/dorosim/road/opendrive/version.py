"""Which files are read, and which maps they become: what has to be known before a file is parsed."""

from __future__ import annotations

CONVERSION_VERSION = 2
"""To be raised when the same file becomes another map, so that what is kept of it is made again."""

MAX_OPENDRIVE_SIZE = 1 << 28
"""A larger file [bytes] is refused; the largest of CARLA's towns has 3 MB."""
