"""Obstacles: one shape for each model of the catalogue, and what map objects look like."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dorosim.ground.mesh import Mesh, box_mesh, fan, quad_mesh
from dorosim.sensor.scene.actor.heavy import round_box
from dorosim.sensor.scene.actor.solid import cylinder, ellipsoid, fitted, limb, loft
from dorosim.sensor.scene.actor.wheel import plain_wheel
from dorosim.sensor.scene.material import Material
from dorosim.world.obstacle.state import ObstacleModel


def _box() -> Mesh:
    tape = box_mesh((0.502, 0.06, 0.502), Material.WOOD, (0, 0, 0.5))
    return Mesh.joined([box_mesh((0.5, 0.5, 0.5), Material.CARDBOARD, (0, 0, 0.5)), tape])


def _turned(rows: list[tuple[float, float, int]], sides: int = 20) -> Mesh:
    """A body of revolution: (height, radius, material of the band above) from the bottom to the top."""
    turn = np.linspace(0.0, 2 * np.pi, sides, endpoint=False)
    rings = [np.column_stack((r * np.cos(turn), r * np.sin(turn), np.full(sides, z))) for z, r, _ in rows]
    return loft(rings, np.array([[row[2]] * sides for row in rows[:-1]]), cap=rows[-1][2])


def _cone() -> Mesh:
    orange, white = Material.CONE, Material.REFLECTIVE_WHITE
    rows = [
        (0.05, 0.145, orange),
        (0.22, 0.11, white),
        (0.36, 0.08, orange),
        (0.46, 0.062, white),
        (0.55, 0.045, orange),
    ]
    return Mesh.joined(
        [box_mesh((0.185, 0.185, 0.025), Material.RUBBER, (0, 0, 0.025)), _turned([*rows, (0.7, 0.02, orange)])]
    )


def _drum() -> Mesh:
    orange, white = Material.CONE, Material.REFLECTIVE_WHITE
    rows = [
        (0.0, 0.225, Material.RUBBER),
        (0.06, 0.225, Material.RUBBER),
        (0.061, 0.2, orange),
        (0.2, 0.197, white),
    ]
    rows += [(0.33, 0.19, orange), (0.46, 0.186, white), (0.59, 0.18, orange), (0.76, 0.175, orange)]
    return _turned([*rows, (0.8, 0.15, orange)])


def _barrier() -> Mesh:
    """An A-frame with striped boards across the road."""
    parts = []
    for x in (-0.42, 0.42):
        parts.append(limb([(x, -0.28, 0.0), (x, 0.0, 0.9)], (0.025, 0.02), Material.STEEL, 6))
        parts.append(limb([(x, 0.28, 0.0), (x, 0.0, 0.9)], (0.025, 0.02), Material.STEEL, 6))
    for z, y in ((0.75, 0.06), (0.45, 0.16)):
        for side in (1.0, -1.0):
            for k in range(6):
                material = Material.BARRIER_RED if k % 2 else Material.REFLECTIVE_WHITE
                parts.append(box_mesh((0.0834, 0.012, 0.09), material, (-0.417 + k / 6, side * y, z)))
    return Mesh.joined(parts)


def _concrete_barrier() -> Mesh:
    """The Jersey profile along x."""
    side = [(0.305, 0.0), (0.305, 0.075), (0.18, 0.33), (0.09, 0.81)]
    ring = [*side, *[(-y, z) for y, z in reversed(side)]]
    return loft([[(x, y, z) for y, z in ring] for x in (-1.5, 1.5)], Material.CONCRETE, cap=Material.CONCRETE)


def _bollard() -> Mesh:
    rows = [(0.0, 0.075, Material.STEEL), (0.65, 0.07, Material.REFLECTIVE_WHITE), (0.78, 0.07, Material.STEEL)]
    return _turned([*rows, (0.87, 0.068, Material.STEEL), (0.9, 0.04, Material.STEEL)], 14)


def _sign_stand() -> Mesh:
    board = box_mesh((0.012, 0.45, 0.36), Material.SIGN_YELLOW, (0.0, 0.0, 0.84))
    stripe = box_mesh((0.014, 0.4, 0.05), Material.PLASTIC, (0.0, 0.0, 0.9))
    legs = [
        limb([(x, y, 0.0), (0.0, 0.8 * y, 0.9)], (0.018, 0.018), Material.STEEL, 6)
        for x in (-0.3, 0.3)
        for y in (-0.4, 0.4)
    ]
    return Mesh.joined([board, stripe, *legs])


def _pallet() -> Mesh:
    boards = [
        box_mesh((0.55, 0.06, 0.011), Material.WOOD, (0, y, z))
        for z in (0.011, 0.139)
        for y in np.linspace(-0.49, 0.49, 6)
    ]
    blocks = [
        box_mesh((0.07, 0.07, 0.055), Material.WOOD, (x, y, 0.075)) for x in (-0.48, 0, 0.48) for y in (-0.48, 0, 0.48)
    ]
    return Mesh.joined([*boards, *blocks])


def _tire() -> Mesh:
    """A tyre that lies on its side."""
    turn = np.linspace(0.0, 2 * np.pi, 20, endpoint=False)
    shape = [
        (0.2, 0.03),
        (0.24, 0.0),
        (0.3, 0.01),
        (0.325, 0.06),
        (0.325, 0.16),
        (0.3, 0.21),
        (0.24, 0.22),
        (0.2, 0.19),
    ]
    rings = [np.column_stack((r * np.cos(turn), r * np.sin(turn), np.full(20, z))) for r, z in [*shape, shape[0]]]
    return loft(rings, Material.RUBBER)


def _stone() -> Mesh:
    ball = ellipsoid((0, 0, 0.2), (0.25, 0.25, 0.2), Material.STONE, 6)
    x, y, z = ball.vertices.T
    bump = 1.0 + 0.12 * np.sin(9 * x + 1.0) * np.cos(11 * y) + 0.08 * np.sin(13 * z + 5 * x)
    return Mesh(ball.vertices * bump[:, None], ball.faces, ball.material)


def crown(centre: tuple[float, float, float], half: tuple[float, float, float], seed: int, material: int) -> Mesh:
    """A crown of leaves: a ball with dents, different for each seed."""
    ball = ellipsoid((0, 0, 0), (1, 1, 1), material, 5)
    random = np.random.default_rng(seed)
    waves = random.uniform(2.0, 5.0, (4, 3))
    phase = random.uniform(0, 2 * np.pi, 4)
    bump = 1.0 + 0.1 * np.sin(ball.vertices @ waves.T + phase).sum(axis=1)
    return Mesh(ball.vertices * bump[:, None] * np.asarray(half) + np.asarray(centre), ball.faces, ball.material)


def _tree() -> Mesh:
    """A slim tree: the box of the catalogue is that of its trunk and what stands close about it."""
    trunk = limb([(0, 0, 0), (0, 0, 2.5), (0, 0, 5.5)], (0.12, 0.09, 0.03), Material.TRUNK, 8)
    leaves = [
        crown((0, 0, z), (r, r, 0.7), k, Material.LEAF)
        for k, (z, r) in enumerate(((3.2, 0.2), (4.2, 0.19), (5.2, 0.15)))
    ]
    return Mesh.joined([trunk, *leaves])


def _container() -> Mesh:
    """Corrugated walls in a frame."""
    parts = [box_mesh((3.0, 1.19, 1.27), Material.PAINT, (0, 0, 1.295))]
    parts += [
        box_mesh((0.06, 0.02, 1.15), Material.PAINT, (x, side * 1.2, 1.295))
        for x in np.linspace(-2.8, 2.8, 22).tolist()
        for side in (1.0, -1.0)
    ]
    parts += [
        box_mesh((0.06, 0.06, 1.295), Material.SECOND_PAINT, (x, y, 1.295))
        for x in (-2.97, 2.97)
        for y in (-1.16, 1.16)
    ]
    parts += [cylinder((-3.02, y, 0.15), (-3.02, y, 2.45), 0.02, Material.STEEL, 6) for y in (-0.75, -0.25, 0.25, 0.75)]
    return Mesh.joined(parts)


def _trailer() -> Mesh:
    """A box trailer on three axles."""
    box = round_box((-6.1, -1.25, 1.15), (6.1, 1.25, 4.0), 0.04, Material.PAINT)
    frame = box_mesh((5.8, 0.5, 0.15), Material.STEEL, (0, 0, 1.0))
    wheels = [plain_wheel(x, side * 1.05, 0.5, 0.38) for x in (-4.8, -3.5, -2.2) for side in (1.0, -1.0)]
    guard = quad_mesh(
        [[(-1.3, y, 0.5), (3.0, y, 0.5), (3.0, y, 1.0), (-1.3, y, 1.0)] for y in (1.2, -1.2)], Material.STEEL
    )
    legs = [box_mesh((0.08, 0.08, 0.5), Material.STEEL, (3.6, side * 0.9, 0.5)) for side in (1.0, -1.0)]
    lamps = [box_mesh((0.02, 0.15, 0.06), Material.TAIL_LAMP, (-6.1, side * 1.0, 1.0)) for side in (1.0, -1.0)]
    return Mesh.joined([box, frame, guard, *wheels, *legs, *lamps])


def _beast(neck: float, antlers: bool) -> Mesh:
    """An animal on four legs, its back at height 1."""
    fur = Material.WOOD
    parts = [ellipsoid((0, 0, 0.78), (0.62, 0.2, 0.22), fur, 6)]
    parts += [
        limb([(x, y, 0.7), (x - 0.05, y, 0.35), (x, y, 0.0)], (0.09, 0.05, 0.035), fur, 6)
        for x in (-0.42, 0.42)
        for y in (-0.11, 0.11)
    ]
    head = np.array((0.85, 0.0, 0.95 + neck))
    parts += [
        limb(np.array([(0.45, 0, 0.85), head - (0.1, 0, 0.02)]), (0.15, 0.09), fur, 8),
        ellipsoid(head, (0.17, 0.08, 0.09), fur, 5),
        ellipsoid(np.add(head, (0.14, 0, -0.03)), (0.09, 0.05, 0.05), fur, 4),
        limb([(-0.58, 0, 0.85), (-0.8, 0, 0.85 + 0.4 * neck)], (0.04, 0.015), fur, 5),
    ]
    for side in (1.0, -1.0):
        parts.append(ellipsoid(np.add(head, (-0.1, side * 0.08, 0.1)), (0.025, 0.03, 0.06), fur, 4))
        if antlers:
            tip = np.add(head, (-0.15, side * 0.2, 0.4))
            parts.append(limb([np.add(head, (-0.05, side * 0.04, 0.08)), tip], (0.02, 0.008), Material.TRUNK, 5))
    return Mesh.joined(parts)


def _dog() -> Mesh:
    return _beast(0.1, antlers=False)


def _deer() -> Mesh:
    return _beast(0.35, antlers=True)


_SHAPES: dict[str, Callable[[], Mesh]] = {
    "box": _box,
    "cone": _cone,
    "drum": _drum,
    "barrier": _barrier,
    "concrete_barrier": _concrete_barrier,
    "bollard": _bollard,
    "sign_stand": _sign_stand,
    "pallet": _pallet,
    "tire": _tire,
    "stone": _stone,
    "tree": _tree,
    "container": _container,
    "trailer": _trailer,
    "dog": _dog,
    "deer": _deer,
}


def obstacle_mesh(model: ObstacleModel) -> Mesh:
    """The mesh of an obstacle at scale 1; its origin is the middle of its base. An unknown one is a box."""
    half = 0.5 * model.length, 0.5 * model.width
    made = _SHAPES.get(model.name, _box)()
    return fitted(made, (-half[0], -half[1], 0.0), (half[0], half[1], model.height))


def puddle_mesh(material: int) -> Mesh:
    """What lies on the road: an uneven disc of radius 1 and height 1, to be scaled."""
    turn = np.linspace(0.0, 2 * np.pi, 28, endpoint=False)
    radius = 0.9 + 0.06 * np.sin(3 * turn + 1.0) + 0.04 * np.sin(5 * turn)
    ring = np.column_stack((radius * np.cos(turn), radius * np.sin(turn), np.ones(len(turn))))
    return fitted(fan(ring, material).moved((0.0, 0.0, 0.0)), (-1.0, -1.0, 0.0), (1.0, 1.0, 1.0))
