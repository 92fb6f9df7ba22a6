"""Cars: sedan, hatchback, sport utility vehicle and van, as lofts over a side view.

A side view gives, at stations along the length, the heights of the sill and of the shoulder, and the width there, all
as shares of the model's box; and the cabin above it with its glass. The same few numbers make every car of a family,
whatever its size.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from dorosim.ground.mesh import Mesh, box_mesh, quad_mesh
from dorosim.sensor.scene.actor.solid import fitted, loft, mirrored
from dorosim.sensor.scene.actor.wheel import arch, wheel
from dorosim.sensor.scene.material import Material
from dorosim.world.vehicle.model import VehicleModel


class Stations(NamedTuple):
    """The lower body at some places, in shares of length, height and width.

    Attributes:
        at: places along the length, from the rear bumper on.
        sill, shoulder: heights there.
        width: there.
    """

    at: tuple[float, ...]
    sill: tuple[float, ...]
    shoulder: tuple[float, ...]
    width: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class SideView:
    """The shape of a family, in shares of length, height and width.

    Attributes:
        body: the lower body from rear to front.
        cabin: places along the length where the rear window begins below, begins above, where the roof is highest,
            where the windscreen ends above, and where it ends below.
        roof_width: width of the roof by the width of the shoulder.
        pillars: places of the pillars between the side windows.
        radius: of the wheels by the height.
        lamps: heights of the middle of the head lamps and of the tail lamps.
        solid_from: the sides of the cabin behind this place are of metal, as of a delivery van; 0 for none.
    """

    body: Stations
    cabin: tuple[float, float, float, float, float]
    roof_width: float
    pillars: tuple[float, ...]
    radius: float
    lamps: tuple[float, float]
    solid_from: float = 0.0


SEDAN = SideView(
    body=Stations(
        at=(0.000, 0.012, 0.040, 0.160, 0.350, 0.600, 0.740, 0.880, 0.950, 0.985, 1.000),
        sill=(0.30, 0.22, 0.17, 0.15, 0.14, 0.14, 0.15, 0.16, 0.18, 0.20, 0.24),
        shoulder=(0.50, 0.58, 0.66, 0.69, 0.675, 0.655, 0.635, 0.585, 0.550, 0.515, 0.470),
        width=(0.80, 0.89, 0.95, 0.99, 1.00, 1.00, 0.99, 0.96, 0.93, 0.88, 0.78),
    ),
    cabin=(0.10, 0.27, 0.45, 0.56, 0.745),
    roof_width=0.70,
    pillars=(0.285, 0.45),
    radius=0.228,
    lamps=(0.39, 0.56),
)
HATCHBACK = SideView(
    body=Stations(
        at=(0.000, 0.014, 0.050, 0.200, 0.600, 0.750, 0.880, 0.950, 0.985, 1.000),
        sill=(0.28, 0.21, 0.17, 0.15, 0.14, 0.15, 0.16, 0.18, 0.20, 0.24),
        shoulder=(0.52, 0.60, 0.66, 0.665, 0.645, 0.620, 0.570, 0.535, 0.500, 0.455),
        width=(0.82, 0.91, 0.96, 1.00, 1.00, 0.99, 0.96, 0.93, 0.88, 0.79),
    ),
    cabin=(0.012, 0.115, 0.42, 0.56, 0.775),
    roof_width=0.74,
    pillars=(0.22, 0.44),
    radius=0.222,
    lamps=(0.385, 0.53),
)
SUV = SideView(
    body=Stations(
        at=(0.000, 0.014, 0.045, 0.200, 0.600, 0.740, 0.880, 0.955, 0.988, 1.000),
        sill=(0.30, 0.23, 0.19, 0.17, 0.16, 0.17, 0.18, 0.20, 0.22, 0.26),
        shoulder=(0.52, 0.60, 0.645, 0.65, 0.635, 0.625, 0.595, 0.570, 0.535, 0.490),
        width=(0.84, 0.92, 0.97, 1.00, 1.00, 0.99, 0.97, 0.95, 0.90, 0.81),
    ),
    cabin=(0.010, 0.075, 0.40, 0.575, 0.750),
    roof_width=0.77,
    pillars=(0.21, 0.43),
    radius=0.225,
    lamps=(0.42, 0.53),
)
VAN = SideView(
    body=Stations(
        at=(0.000, 0.010, 0.040, 0.300, 0.700, 0.880, 0.955, 0.988, 1.000),
        sill=(0.20, 0.16, 0.14, 0.13, 0.13, 0.14, 0.16, 0.18, 0.20),
        shoulder=(0.44, 0.50, 0.520, 0.520, 0.515, 0.500, 0.465, 0.425, 0.385),
        width=(0.90, 0.96, 0.99, 1.00, 1.00, 0.98, 0.95, 0.90, 0.81),
    ),
    cabin=(0.006, 0.040, 0.45, 0.695, 0.930),
    roof_width=0.84,
    pillars=(0.24, 0.48, 0.66),
    radius=0.178,
    lamps=(0.32, 0.42),
)

_GLASS_FROM, _GLASS_TO = 0.10, 0.86
"""The side windows between shoulder and roof, in shares of the way up."""
_WAIST = 0.955
"""Width of the cabin's foot by that of the shoulder."""
_BODY_WIDTH = 0.972
"""The body by the width of the box: arches and wheels stand out."""


class _Car:
    """The numbers of one car in metres; x from its rear bumper."""

    def __init__(self, model: VehicleModel, view: SideView) -> None:
        self.view, self.model = view, model
        self.length, self.half, self.height = model.length, 0.5 * model.width, model.height

    def shoulder(self, at: float) -> float:
        return float(np.interp(at, self.view.body.at, self.view.body.shoulder)) * self.height

    def half_width(self, at: float) -> float:
        return float(np.interp(at, self.view.body.at, self.view.body.width)) * self.half * _BODY_WIDTH


def car_mesh(model: VehicleModel, view: SideView) -> Mesh:
    """The mesh of a car in its body frame [m]."""
    car = _Car(model, view)
    parts = [_body(car), _cabin(car), *_wheels(car), *_front(car), *_rear(car), *_mirrors(car)]
    low = (-model.rear_overhang, -0.5 * model.width, 0.0)
    high = (model.wheelbase + model.front_overhang, 0.5 * model.width, model.height)
    return fitted(Mesh.joined(parts).moved((-model.rear_overhang, 0.0, 0.0)), low, high)


def _body(car: _Car) -> Mesh:
    """The lower body, from the sill to the shoulder."""
    rings = []
    for at, sill, shoulder, width in zip(*car.view.body, strict=True):
        half = 0.5 * car.model.width * width * _BODY_WIDTH
        low, high = sill * car.height, shoulder * car.height
        tall = high - low
        side = [
            (0.0, low),
            (0.84 * half, low),
            (0.955 * half, low + 0.10 * tall),
            (0.995 * half, low + 0.36 * tall),
            (half, low + 0.62 * tall),
            (0.972 * half, low + 0.84 * tall),
            (0.90 * half, low + 0.97 * tall),
            (0.60 * half, high + 0.012 * car.height),
            (0.0, high + 0.02 * car.height),
        ]
        rings.append(mirrored(side, at * car.length))
    points = len(rings[0])
    material = np.full((len(rings) - 1, points), Material.PAINT)
    material[:, [0, 1, points - 2, points - 1]] = Material.PLASTIC  # floor and sills
    material[0, [2, points - 3]] = material[-1, [2, points - 3]] = Material.PLASTIC
    return loft(rings, material, cap=Material.PAINT)


def _cabin(car: _Car) -> Mesh:
    """Windows, pillars and roof."""
    view = car.view
    rear_low, rear_high, top, front_high, front_low = view.cabin
    rise = {rear_low: 0.0, rear_high: 0.965, top: 1.0, front_high: 0.975, front_low: 0.0}
    edges = [rear_high + 0.012, front_high - 0.012]
    for place in view.pillars:
        edges += [place - 0.008, place + 0.008]
    places = sorted({*rise, *edges})
    heights = np.interp(places, list(rise), list(rise.values()))
    rings = []
    for at, share in zip(places, heights.tolist(), strict=True):
        foot = car.shoulder(at) - 0.01 * car.height
        roof = foot + share * (0.985 * car.height - foot)
        wide = car.half_width(at) * _WAIST
        narrow = wide * (1.0 + (view.roof_width - 1.0) * share)
        bands = [(wide + (narrow - wide) * part, foot + (roof - foot) * part) for part in (0.0, _GLASS_FROM, _GLASS_TO)]
        crown = 0.015 * car.height * share
        side = [*bands, (narrow * 0.97, roof), (0.62 * narrow, roof + 0.75 * crown), (0.0, roof + crown)]
        rings.append(mirrored(side, at * car.length))
    points = len(rings[0])
    material = np.full((len(rings) - 1, points), Material.PAINT)
    for row, (start, stop) in enumerate(pairwise(places)):
        middle = 0.5 * (start + stop)
        if middle < rear_high or middle > front_high:
            material[row, 3 : points - 4] = Material.GLASS  # rear window and windscreen
        elif not (middle < view.solid_from or _is_pillar(view, middle, edges)):
            material[row, [1, points - 3]] = Material.GLASS
        elif _is_pillar(view, middle, edges[2:]):
            material[row, [1, points - 3]] = Material.PLASTIC
    return loft(rings, material)


def _is_pillar(view: SideView, middle: float, edges: list[float]) -> bool:
    """Whether a place lies on a pillar between two windows, or at either end of the row of windows."""
    on_end = not view.cabin[1] + 0.012 < middle < view.cabin[3] - 0.012 and len(edges) > 2 * len(view.pillars)
    return on_end or any(abs(middle - place) < 0.008 for place in view.pillars)


def _wheels(car: _Car) -> list[Mesh]:
    """Four wheels in their arches."""
    radius, width = car.view.radius * car.height, 0.115 * car.model.width
    floor = 0.135 * car.height
    parts = []
    for x in (car.model.rear_overhang, car.model.rear_overhang + car.model.wheelbase):
        for side in (1.0, -1.0):
            parts.append(wheel(x, side * car.half, radius, width))
            parts.append(arch(x, side * 0.982 * car.half, 1.16 * radius, floor))
    return parts


def _patch(x: float, y: tuple[float, float], z: tuple[float, float], material: int) -> Mesh:
    """A grille or plate across the body at x, from -y[1] to -y[0] and from y[0] to y[1] [m]."""
    left = [(x, y[0], z[0]), (x, y[1], z[0]), (x, y[1], z[1]), (x, y[0], z[1])]
    right = [(px, -py, pz) for px, py, pz in left]
    return quad_mesh([left, right], material)


def _front(car: _Car) -> list[Mesh]:
    """Head lamps with turn signals beside them, grille, plate."""
    middle, thick = car.view.lamps[0], 0.036
    z = ((middle - thick) * car.height, (middle + thick) * car.height)
    half, nose = 0.5 * car.model.width * _BODY_WIDTH, car.length
    tip = _shares(*car.view.body.width[:-3:-1])
    return [
        _lamp_pair((nose + 0.006, nose - 0.002 * car.length), (tip[0] * half, tip[1] * half), z, Material.HEAD_LAMP),
        _lamp_pair(
            (nose - 0.0022 * car.length, nose - 0.017 * car.length),
            (tip[1] * half, tip[2] * half),
            z,
            Material.LEFT_LAMP,
        ),
        _patch(nose + 0.006, (0.0, 0.42 * half), (z[0], z[1] - 0.01 * car.height), Material.PLASTIC),
        _patch(nose + 0.01, (0.0, 0.26), (0.25 * car.height, 0.25 * car.height + 0.11), Material.PLATE),
    ]


def _rear(car: _Car) -> list[Mesh]:
    """Tail, brake, reversing lamps and turn signals, plate."""
    middle, thick = car.view.lamps[1], 0.05
    low, high = (middle - thick) * car.height, (middle + thick) * car.height
    half = 0.5 * car.model.width * _BODY_WIDTH
    tip = _shares(*car.view.body.width[:2])
    back, corner, side = -0.002 * car.length, 0.002 * car.length, 0.014 * car.length
    return [
        _lamp_pair((back, corner), (tip[0] * half, tip[1] * half), (middle * car.height, high), Material.BRAKE_LAMP),
        _lamp_pair((back, corner), (tip[0] * half, tip[1] * half), (low, middle * car.height), Material.TAIL_LAMP),
        _lamp_pair((corner, side), (tip[1] * half, tip[2] * half), (low, high), Material.LEFT_LAMP),
        _lamp_pair((back, back), (0.38 * half, tip[0] * half), (low, middle * car.height), Material.REVERSE_LAMP),
        box_mesh((0.02, 0.16, 0.014), Material.BRAKE_LAMP, _third_lamp(car)),
        _patch(back - 0.006, (0.0, 0.26), (0.35 * car.height, 0.35 * car.height + 0.11), Material.PLATE),
    ]


def _shares(end: float, corner: float) -> tuple[float, float, float]:
    """Where a row of lamps begins, turns the corner and ends, in shares of the half width."""
    return 0.6 * end, 1.03 * end, 1.015 * corner


def _third_lamp(car: _Car) -> tuple[float, float, float]:
    """The middle of the raised brake lamp, at the upper edge of the rear window."""
    return (car.view.cabin[1] * car.length - 0.02, 0.0, 0.962 * car.height)


def _lamp_pair(x: tuple[float, float], y: tuple[float, float], z: tuple[float, float], material: int) -> Mesh:
    """A lamp on either side that stands out of the body a little, from (x[0], y[0]) to (x[1], y[1]) [m].

    Turn signals are of their own side.
    """
    parts = []
    deep = 0.08 if x[0] <= x[1] else -0.08
    for side in (1.0, -1.0):
        own = Material.RIGHT_LAMP if material == Material.LEFT_LAMP and side < 0 else material
        face = np.array(
            [(x[0], side * y[0], z[0]), (x[1], side * y[1], z[0]), (x[1], side * y[1], z[1]), (x[0], side * y[0], z[1])]
        )
        parts.append(loft([np.add(face, (deep, -0.06 * side, 0.0)), face], own, cap=own))
    return Mesh.joined(parts)


def _mirrors(car: _Car) -> list[Mesh]:
    """Two mirrors within the width of the box."""
    at = car.view.cabin[3] + 0.55 * (car.view.cabin[4] - car.view.cabin[3])
    z = car.shoulder(at) + 0.035 * car.height
    y = car.half - 0.075
    size = (0.05, 0.075, 0.045 * car.height)
    return [box_mesh(size, Material.PAINT, (at * car.length, side * y, z + 0.02)) for side in (1.0, -1.0)]
