"""Who moves an entity of a storyboard."""

from __future__ import annotations

from enum import IntEnum


class Mover(IntEnum):
    """Who moves an entity.

    DEFAULT: the default controller of the standard, which moves it exactly as its actions command. DYNAMICS: a vehicle
    with tyres that follows the same commands. DRIVER: the driver of our traffic; actions change what it wishes.
    EXTERNAL: a user's program.
    """

    DEFAULT = 0
    DYNAMICS = 1
    DRIVER = 2
    EXTERNAL = 3
