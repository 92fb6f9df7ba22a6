"""Where functions of the C library are, for compiled code that calls them by their addresses."""

from __future__ import annotations

import ctypes
import struct
import sys

_ERRNO_PLACE = {"linux": "__errno_location", "darwin": "__error"}


def system_functions(name: str) -> tuple[int, int] | None:
    """Addresses of a function, and of the one that says where `errno` is; None where they are not known.

    Args:
        name: of the function in the C library.
    """
    place = _ERRNO_PLACE.get(sys.platform)
    if place is None or struct.calcsize("P") != 8 or sys.byteorder != "little":
        return None
    try:
        library = ctypes.CDLL(None)
        found = [ctypes.cast(getattr(library, one), ctypes.c_void_p).value for one in (name, place)]
    except (OSError, AttributeError):
        return None
    return (found[0], found[1]) if found[0] and found[1] else None
