"""People on foot, in a few phases of a step, and people on wheels.

A phase is a share of the cycle of two steps: the legs swing as a sine, the knee bends on the way forward, the arms
swing against the legs.
"""

from __future__ import annotations

import math

import numpy as np

from dorosim.ground.mesh import Mesh, box_mesh
from dorosim.sensor.scene.actor.solid import ellipsoid, fitted, limb, loft
from dorosim.sensor.scene.actor.wheel import plain_wheel
from dorosim.sensor.scene.material import Material
from dorosim.world.pedestrian.model import PedestrianModel

PHASES = 8
"""Models of a walking person: phases of a cycle of two steps. One more stands."""
STRIDE_BY_HEIGHT = 0.83
"""Length of two steps over the height of the body, at the usual pace (Weidmann 1993; Murray 1964: 0.8 to 0.9)."""

_SWING, _KNEE, _ARM = 0.42, 0.75, 0.45
"""Largest angles of the thigh, of the knee, and of the arm [rad]."""
_THIGH, _SHIN = 0.245, 0.245
_HIP, _SHOULDER = 0.51, 0.815
"""Lengths and heights over the height of the body (Winter, "Biomechanics and Motor Control of Human Movement")."""


def walker_mesh(model: PedestrianModel, phase: float | None) -> Mesh:
    """Returns a pedestrian on foot at a phase 0 to 1 of the cycle of steps; None stands.

    The origin is between the feet.
    """
    parts = [*_torso(1.0, 0.0)]
    reach = 0.0
    for side in (1.0, -1.0):
        turn = 0.0 if phase is None else 2 * math.pi * phase + (0.0 if side > 0 else math.pi)
        swing = 0.0 if phase is None else _SWING * math.sin(turn)
        knee = 0.0 if phase is None else _KNEE * max(math.cos(turn), 0.0) + 0.06
        parts += _leg(0.055 * side, swing, knee)
        arm = 0.03 if phase is None else -_ARM * math.sin(turn)
        parts += _arm(0.128 * side, arm)
        reach = max(reach, abs(swing))
    body = Mesh.joined(parts)
    share = 0.55 if phase is None else max(reach / _SWING, 0.55)
    half_length = 0.5 * model.length * share
    return fitted(body, (-half_length, -0.5 * model.width, 0.0), (half_length, 0.5 * model.width, model.height))


def _torso(scale: float, lean: float) -> list[Mesh]:
    """Trunk, neck and head of a body of height 1, whose hip is at `_HIP`."""
    rows = (
        (0.49, 0.062, 0.088, Material.SECOND_PAINT),
        (0.56, 0.066, 0.092, Material.PAINT),
        (0.64, 0.058, 0.082, Material.PAINT),
        (0.74, 0.068, 0.103, Material.PAINT),
        (0.80, 0.060, 0.118, Material.PAINT),
        (0.835, 0.040, 0.085, Material.PAINT),
        (0.85, 0.030, 0.032, Material.SKIN),
        (0.875, 0.028, 0.030, Material.SKIN),
    )
    turn = np.linspace(0.0, 2 * np.pi, 12, endpoint=False)
    rings = [
        np.column_stack(
            (
                deep * np.cos(turn) + lean * (z - _HIP),
                wide * np.sin(turn),
                np.full(len(turn), _HIP + (z - _HIP) * scale),
            )
        )
        for z, deep, wide, _ in rows
    ]
    material = np.array([[row[3]] * len(turn) for row in rows[:-1]])
    head = np.array((lean * (0.935 - _HIP), 0.0, _HIP + (0.935 - _HIP) * scale))
    return [
        loft(rings, material, cap=Material.SECOND_PAINT),
        ellipsoid(head, (0.058, 0.046, 0.064), Material.SKIN, 6),
        ellipsoid(np.add(head, (-0.012, 0.0, 0.014)), (0.055, 0.050, 0.056), Material.HAIR, 6),
        ellipsoid(np.add(head, (0.058, 0.0, -0.008)), (0.012, 0.008, 0.01), Material.SKIN, 4),
    ]


def _leg(y: float, swing: float, knee: float) -> list[Mesh]:
    """A leg of a body of height 1; angles forward positive, the knee bends the shin back."""
    hip = np.array((0.0, y, _HIP))
    down = np.array((math.sin(swing), 0.0, -math.cos(swing)))
    middle = hip + _THIGH * down
    shin = np.array((math.sin(swing - knee), 0.0, -math.cos(swing - knee)))
    ankle = middle + _SHIN * shin
    toe = ankle + 0.085 * np.array((math.cos(0.5 * (swing - knee)), 0.0, math.sin(0.5 * (swing - knee))))
    heel = ankle - 0.03 * np.array((1.0, 0.0, 0.0))
    foot = [heel - (0, 0, 0.012), 0.5 * (heel + toe) - (0, 0, 0.005), toe - (0, 0, 0.018)]
    return [
        limb([hip, 0.5 * (hip + middle), middle], (0.05, 0.047, 0.034), Material.SECOND_PAINT),
        limb([middle, 0.6 * middle + 0.4 * ankle, ankle], (0.034, 0.034, 0.022), Material.SECOND_PAINT),
        limb(foot, (0.022, 0.026, 0.014), Material.SHOE),
    ]


def _arm(y: float, swing: float, elbow: float = 0.35) -> list[Mesh]:
    """An arm of a body of height 1."""
    shoulder = np.array((0.0, y, _SHOULDER))
    out = 0.02 * math.copysign(1.0, y)
    bend = swing + elbow * (0.35 if swing < 0 else 1.0)
    middle = shoulder + 0.172 * np.array((math.sin(swing), out, -math.cos(swing)))
    wrist = middle + 0.146 * np.array((math.sin(bend), 0.5 * out, -math.cos(bend)))
    hand = wrist + 0.05 * np.array((math.sin(bend), 0.0, -math.cos(bend)))
    return [
        limb([np.add(shoulder, (0, 0, 0.012)), shoulder, middle], (0.018, 0.034, 0.025), Material.PAINT, 7),
        limb([middle, wrist], (0.025, 0.017), Material.PAINT, 7),
        limb([wrist, hand], (0.018, 0.014), Material.SKIN, 6),
    ]


def _sitting(height: float, lean: float, x: float, seat: float, foot: float) -> list[Mesh]:
    """Returns the parts of a sitting person, in metres: of a given height, the seat and the feet at these heights."""
    trunk = Mesh.joined([*_torso(1.0, lean)]).transformed(height * np.eye(3)).moved((x, 0.0, seat - 0.5 * height))
    parts = [trunk]
    for side in (1.0, -1.0):
        hip = np.array((x, 0.06 * height * side, seat))
        knee = np.add(hip, (0.21 * height, 0.0, -0.04 * height))
        ankle = np.array((knee[0] + 0.02, knee[1], max(foot, knee[2] - 0.25 * height)))
        hand = np.array((x + 0.3 * height, 0.13 * height * side, seat + 0.22 * height))
        shoulder = np.array((x + lean * 0.3 * height, 0.12 * height * side, seat + 0.31 * height))
        parts += [
            limb([hip, knee], (0.05 * height, 0.036 * height), Material.SECOND_PAINT),
            limb([knee, ankle], (0.034 * height, 0.023 * height), Material.SECOND_PAINT),
            limb([ankle, np.add(ankle, (0.11, 0, -0.01))], (0.025 * height, 0.016 * height), Material.SHOE),
            limb(
                [shoulder, 0.5 * (shoulder + hand) - (0, 0, 0.04), hand],
                (0.033 * height, 0.024 * height, 0.018 * height),
                Material.PAINT,
            ),
        ]
    return parts


def _tube(points: list[tuple[float, float, float]], radius: float = 0.016, material: int = Material.STEEL) -> Mesh:
    return limb(points, [radius] * len(points), material, 6)


def bicycle_mesh(model: PedestrianModel) -> Mesh:
    """A cyclist."""
    r = 0.33
    parts = [plain_wheel(x, 0.0, r, 0.04) for x in (-0.55, 0.55)]
    parts += [
        _tube([(-0.55, 0, r), (-0.15, 0, 0.8), (-0.1, 0, 0.3), (-0.55, 0, r)]),
        _tube([(-0.12, 0, 0.72), (0.38, 0, 0.82)]),
        _tube([(-0.1, 0, 0.3), (0.4, 0, 0.75)]),
        _tube([(0.55, 0, r), (0.4, 0, 0.8), (0.37, 0, 1.0)]),
        _tube([(0.37, 0.28, 1.02), (0.4, 0, 1.0), (0.37, -0.28, 1.02)]),
        box_mesh((0.12, 0.07, 0.03), Material.PLASTIC, (-0.2, 0, 0.88)),
        *_sitting(1.7, 0.35, -0.2, 0.93, 0.35),
    ]
    return _in_box(parts, model)


def motorbike_mesh(model: PedestrianModel) -> Mesh:
    """A motorbike with its rider."""
    r = 0.31
    parts = [plain_wheel(x, 0.0, r, 0.14) for x in (-0.7, 0.7)]
    parts += [
        ellipsoid((0.05, 0, 0.55), (0.42, 0.16, 0.24), Material.PLASTIC),
        ellipsoid((0.22, 0, 0.85), (0.3, 0.15, 0.14), Material.PAINT),
        ellipsoid((-0.4, 0, 0.82), (0.4, 0.13, 0.08), Material.PLASTIC),
        ellipsoid((0.55, 0, 0.9), (0.16, 0.18, 0.2), Material.PAINT),
        _tube([(0.7, 0.06, r), (0.5, 0.06, 0.95)], 0.03),
        _tube([(0.7, -0.06, r), (0.5, -0.06, 0.95)], 0.03),
        _tube([(-0.7, 0.08, r), (0.0, 0.08, 0.45)], 0.035),
        _tube([(0.4, 0.33, 1.05), (0.5, 0, 1.02), (0.4, -0.33, 1.05)], 0.018),
        ellipsoid((0.7, 0, 0.88), (0.05, 0.09, 0.08), Material.HEAD_LAMP),
        box_mesh((0.02, 0.08, 0.03), Material.BRAKE_LAMP, (-0.8, 0, 0.8)),
        *_sitting(1.72, 0.3, -0.22, 0.95, 0.35),
    ]
    return _in_box(parts, model)


def scooter_mesh(model: PedestrianModel) -> Mesh:
    """Returns a person that stands on a kick scooter."""
    rider = walker_mesh(PedestrianModel("", (), 0.4, 0.5, 1.72, 75.0, 1.4), None).moved((-0.12, 0.0, 0.13))
    parts = [
        rider,
        plain_wheel(-0.5, 0.0, 0.1, 0.06),
        plain_wheel(0.5, 0.0, 0.1, 0.06),
        box_mesh((0.4, 0.08, 0.025), Material.PLASTIC, (-0.05, 0, 0.11)),
        _tube([(0.5, 0, 0.1), (0.38, 0, 1.1)], 0.02),
        _tube([(0.36, 0.25, 1.1), (0.38, 0, 1.1), (0.36, -0.25, 1.1)], 0.014),
        box_mesh((0.012, 0.03, 0.02), Material.HEAD_LAMP, (0.43, 0, 1.0)),
    ]
    return _in_box(parts, model)


def wheelchair_mesh(model: PedestrianModel) -> Mesh:
    """Returns a person in a wheelchair."""
    parts = [plain_wheel(-0.15, side * 0.31, 0.3, 0.05) for side in (1.0, -1.0)]
    parts += [plain_wheel(0.35, side * 0.24, 0.09, 0.04) for side in (1.0, -1.0)]
    parts += [
        box_mesh((0.24, 0.23, 0.03), Material.PLASTIC, (0.02, 0, 0.48)),
        box_mesh((0.025, 0.23, 0.24), Material.PLASTIC, (-0.23, 0, 0.72)),
        _tube([(0.25, 0.2, 0.48), (0.42, 0.2, 0.14)]),
        _tube([(0.25, -0.2, 0.48), (0.42, -0.2, 0.14)]),
        _tube([(-0.24, 0.2, 0.9), (-0.42, 0.2, 0.92)]),
        _tube([(-0.24, -0.2, 0.9), (-0.42, -0.2, 0.92)]),
        *_sitting(1.62, 0.0, -0.1, 0.55, 0.12),
    ]
    return _in_box(parts, model)


def stroller_mesh(model: PedestrianModel, phase: float | None) -> Mesh:
    """Returns a person that pushes a stroller, at a phase as of `walker_mesh`."""
    person = walker_mesh(PedestrianModel("", (), 0.45, 0.46, 1.6, 60.0, 1.2), phase).moved((-0.5, 0.0, 0.0))
    parts = [person]
    parts += [plain_wheel(x, side * 0.25, 0.12, 0.04) for x in (0.2, 0.65) for side in (1.0, -1.0)]
    parts += [
        ellipsoid((0.42, 0, 0.62), (0.33, 0.24, 0.22), Material.PAINT),
        ellipsoid((0.28, 0, 0.75), (0.2, 0.235, 0.24), Material.PLASTIC),
        _tube([(0.6, 0.22, 0.14), (0.1, 0.22, 0.75), (-0.2, 0.22, 1.0)]),
        _tube([(0.6, -0.22, 0.14), (0.1, -0.22, 0.75), (-0.2, -0.22, 1.0)]),
        _tube([(-0.2, -0.22, 1.0), (-0.2, 0.22, 1.0)]),
    ]
    return _in_box(parts, model)


def _in_box(parts: list[Mesh], model: PedestrianModel) -> Mesh:
    """Parts together, filling the model's box; the origin is the middle of its base."""
    half = 0.5 * model.length, 0.5 * model.width
    return fitted(Mesh.joined(parts), (-half[0], -half[1], 0.0), (half[0], half[1], model.height))


def phases_of(model: PedestrianModel) -> list[Mesh]:
    """The meshes of a model: standing first, then `PHASES` phases of walking if it walks."""
    rolling = {
        "bicycle": bicycle_mesh,
        "scooter": scooter_mesh,
        "wheelchair": wheelchair_mesh,
        "motorbike": motorbike_mesh,
    }
    if model.name in rolling:
        return [rolling[model.name](model)]
    make = stroller_mesh if model.name == "stroller" else walker_mesh
    return [make(model, None), *(make(model, phase / PHASES) for phase in range(PHASES))]
