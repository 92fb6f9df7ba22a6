"""Wheels, and the arches that they stand in."""

from __future__ import annotations

import numpy as np

from dorosim.ground.mesh import Mesh, fan
from dorosim.sensor.scene.actor.solid import cylinder, loft
from dorosim.sensor.scene.material import Material

_SPOKES = 5


def wheel(x: float, outer: float, radius: float, width: float, sides: int = 20) -> Mesh:
    """A wheel that stands on the ground; its outer side is at y = `outer`, positive to the left [m]."""
    side = np.sign(outer)
    inner = outer - side * width
    turn = np.linspace(0.0, 2 * np.pi, sides, endpoint=False)
    circle = np.column_stack((np.cos(turn), np.zeros(sides), np.sin(turn)))
    centre = np.array((x, 0.0, radius))

    def ring(y: float, share: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        return np.asarray(centre + (0.0, y, 0.0) + share * radius * circle)

    bevel = 0.12 * width
    tire = loft(
        [ring(inner, 0.9), ring(inner + side * bevel, 1.0), ring(outer - side * bevel, 1.0), ring(outer, 0.93)],
        Material.RUBBER,
    )
    wall = loft([ring(outer, 0.93), ring(outer - side * 0.01, 0.68)], Material.RUBBER)
    rim = loft([ring(outer - side * 0.01, 0.68), ring(outer - side * 0.015, 0.6)], Material.RIM)
    dish = fan(ring(outer - side * 0.05, 0.61), Material.PLASTIC)
    spokes = [_spoke(centre, 2 * np.pi * k / _SPOKES + 0.3, radius, outer - side * 0.02) for k in range(_SPOKES)]
    hub = fan(ring(outer - side * 0.012, 0.16), Material.RIM)
    back = fan(ring(inner, 0.9), Material.PLASTIC)
    return Mesh.joined([tire, wall, rim, dish, hub, back, *spokes])


def _spoke(centre: np.ndarray[tuple[int, ...], np.dtype[np.float64]], angle: float, radius: float, y: float) -> Mesh:
    """A spoke from the hub to the rim, turned by an angle."""
    along = np.array((np.cos(angle), 0.0, np.sin(angle)))
    across = np.array((-np.sin(angle), 0.0, np.cos(angle)))
    shape = [(0.1, -0.09), (0.63, -0.12), (0.63, 0.12), (0.1, 0.09)]
    return fan([centre + (0.0, y, 0.0) + radius * (a * along + b * across) for a, b in shape], Material.RIM)


def arch(x: float, y: float, radius: float, floor: float) -> Mesh:
    """The dark opening around a wheel: the part of a disc at y above the height `floor` [m]."""
    turn = np.linspace(0.0, np.pi, 15)
    rim = [(x + radius * np.cos(t), y, max(radius * np.sin(t) + 0.97 * radius / 1.16, floor)) for t in turn]
    return fan([*rim, (x - radius, y, floor), (x + radius, y, floor)], Material.PLASTIC)


def plain_wheel(x: float, y: float, radius: float, width: float) -> Mesh:
    """A simple wheel about y: of a robot, a bicycle, a trolley [m]."""
    return cylinder(
        (x, y - 0.5 * width, radius), (x, y + 0.5 * width, radius), radius, Material.RUBBER, 16, Material.RIM
    )
