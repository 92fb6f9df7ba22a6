"""Heights that clients give: what is put far above or below the ground stays there, and they are told so."""

from __future__ import annotations

import math

from dorosim.world.command import Vector
from dorosim.world.scene import Scene

MAX_UNREMARKED_HEIGHT = 0.3
"""What is put into the air or into the ground by more is remarked [m]."""


def off_ground_text(scene: Scene, position: Vector) -> str:
    """A sentence on something that is put far from the ground; "" if it stands on it, or comes without a height.

    Args:
        scene: gives the ground.
        position: origin or middle of the base in map [m].
    """
    x, y, z = position
    if not all(map(math.isfinite, position)):
        return ""
    off = z - scene.ground_height(x, y, z)
    if abs(off) <= MAX_UNREMARKED_HEIGHT:
        return ""
    return f"it is {abs(off):.2f} m {'above' if off > 0.0 else 'below'} the ground; it stays there, as asked"
