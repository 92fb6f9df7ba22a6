"""What a polite driver looks out for, for drive_lap.py: traffic lights and others on the way.

It needs the standard library only. Speeds are in m/s, places in the map, x to the east and y to the north, in metres.
"""

import math
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

Point = tuple[float, float]

LIGHT = struct.Struct("<14s i 12x 12s 2h")
"""#TrafficLight$: header, length, aux, MGeo id, type, lit lamps."""
OBJECTS = struct.Struct("<14s i 12x 2i")
OBJECT = struct.Struct("<2h 3f f 3f 3f 3f 3f 38s")
"""#MoraiObjInfo$: header, length, aux, stamp; 20 times id, type, position, heading, size, overhang, wheelbase, rear
overhang, velocity [km/h], acceleration, link."""
MAX_OBJECTS = 20
PEDESTRIAN, VEHICLE = 0, 1
YELLOW = 4

COMFORT, FIRM, HARD = 2.0, 3.0, 4.0
"""Deceleration [m/s²] for what has been seen early, for others, and for a light that turns yellow."""
REACTION, LIGHT_REACTION = 0.8, 0.3
"""Time [s] that passes until the brake works, as far as distances and lights are concerned."""
STANDSTILL_GAP = 4.0
"""Distance [m] that is kept to who stands."""
LINE_GAP = 1.0
"""Where the front stops before a line [m]."""
SIDE_GAP = 0.5
"""What is nearer than this [m] to the side of the car's way is on it; of people it is twice as much."""
HORIZON, STEP = 5.0, 0.5
"""How far ahead in time others are expected, and in which steps [s]."""
VIEW = 70
"""How far ahead on the path one looks out [m]."""


@dataclass(frozen=True)
class Car:
    """The own car: its speed, from the rear axle to its bumpers, and half of its width [m]."""

    speed: float
    front: float
    rear: float
    half_width: float


@dataclass(frozen=True)
class Thing:
    """Another on the road: what it is, where, how fast, and how large (front and rear from its origin)."""

    kind: int
    x: float
    y: float
    heading: float
    speed: float
    front: float
    rear: float
    width: float


def things_of(packet: bytes) -> list[Thing]:
    """The others of an object info packet."""
    found = []
    for place in range(MAX_OBJECTS):
        start = OBJECTS.size + place * OBJECT.size
        if start + OBJECT.size > len(packet):
            break
        row = OBJECT.unpack_from(packet, start)
        number, kind, x, y, heading, length, width = row[0], row[1], row[2], row[3], row[5], row[6], row[7]
        if not number:
            break
        overhang, wheelbase, rear = row[9:12]
        front, behind = (wheelbase + overhang, rear) if wheelbase else (length / 2, length / 2)
        along, left = row[12] / 3.6, row[13] / 3.6
        course = math.radians(heading) + (math.atan2(left, along) if kind == PEDESTRIAN else 0.0)
        speed = math.hypot(along, left) if kind == PEDESTRIAN else along
        found.append(Thing(kind, x, y, course, speed, front, behind, width))
    return found


def safe_speed(speed: float, gap: float, ahead: float = 0.0, braking: float = FIRM) -> float:
    """The speed from which one can stop behind what is a gap ahead [m] and brakes, too (Krauss 1998).

    Args:
        speed: the present one. gap: to what is ahead; negative where it is too small already.
        ahead: speed of what is ahead. braking: deceleration [m/s²].
    """
    if gap <= 0.0:
        return min(0.0, speed)
    return -braking * REACTION + math.sqrt((braking * REACTION) ** 2 + max(ahead, 0.0) ** 2 + 2.0 * braking * gap)


class Way:
    """The path ahead of the car, a point each metre from its rear axle on, and the points behind it."""

    def __init__(self, points: Sequence[Point], behind: Sequence[Point]) -> None:
        self.points, self.behind = points, behind
        self.headings = [math.atan2(b[1] - a[1], b[0] - a[0]) for a, b in pairwise(points)]
        self.headings.append(self.headings[-1])

    def bend(self, at: int) -> float:
        """Mean curvature of the 20 m about a point [1/m]."""
        first, last = max(at - 10, 0), min(at + 10, len(self.headings) - 1)
        return math.remainder(self.headings[last] - self.headings[first], math.tau) / max(last - first, 1)

    def nearest(self, x: float, y: float) -> int:
        """The point nearest to a place."""
        return min(range(len(self.points)), key=lambda i: math.dist(self.points[i], (x, y)))

    def covered(self, outline: Sequence[Point], reach: float) -> range:
        """The points that an outline is nearer to than a reach, from the first to the last."""
        return _covered(self.points, outline, reach)

    def is_behind(self, outline: Sequence[Point], reach: float) -> bool:
        """Whether an outline is on the way behind the car."""
        return bool(_covered(self.behind, outline, reach))


def _covered(points: Sequence[Point], outline: Sequence[Point], reach: float) -> range:
    near = [
        i for i, (px, py) in enumerate(points) if any((px - x) ** 2 + (py - y) ** 2 < reach * reach for x, y in outline)
    ]
    return range(near[0], near[-1] + 1) if near else range(0)


def outline_of(thing: Thing, x: float, y: float, heading: float) -> list[Point]:
    """Points along the middle of a thing at a place, from its rear to its front, at most 1.5 m apart."""
    length = thing.front + thing.rear
    inset = min(thing.width, length) / 2
    begin, span = inset - thing.rear, max(length - 2 * inset, 0.0)
    count = max(1, math.ceil(span / 1.5))
    places = [begin + span * k / count for k in range(count + 1)]
    return [(x + s * math.cos(heading), y + s * math.sin(heading)) for s in places]


def speed_by_things(way: Way, car: Car, things: Sequence[Thing]) -> float:
    """The speed that others on the way and across it allow; infinite where nobody is."""
    return min((_speed_by(way, car, thing) for thing in things), default=math.inf)


def _speed_by(way: Way, car: Car, thing: Thing) -> float:
    reach = car.half_width + thing.width / 2 + (2 * SIDE_GAP if thing.kind == PEDESTRIAN else SIDE_GAP)
    far = VIEW + HORIZON * abs(thing.speed)
    if math.dist(way.points[0], (thing.x, thing.y)) > far:
        return math.inf
    outline = outline_of(thing, thing.x, thing.y, thing.heading)
    here = way.covered(outline, reach)
    if here and here.stop - 1 > car.front:
        # it is on the way: keep the distance to it
        turned = math.cos(thing.heading - way.headings[here.start])
        ahead = thing.speed * turned if turned > 0.0 else 0.0
        return safe_speed(car.speed, here.start - car.front - STANDSTILL_GAP + 1.0 + reach - car.half_width, ahead)
    if here or way.is_behind(outline, reach) or abs(thing.speed) < 0.3:
        return math.inf
    return _speed_by_expected(way, car, thing, reach)


def _speed_by_expected(way: Way, car: Car, thing: Thing, reach: float) -> float:
    """The speed that somebody allows who comes onto the way, if all go on as they do."""
    at = way.nearest(thing.x, thing.y)
    turned = math.cos(thing.heading - way.headings[at])
    beside = math.dist(way.points[at], (thing.x, thing.y)) < 15.0
    # on a road that bends, who drives beside us follows the bend
    bend = way.bend(at) * math.copysign(1.0, turned) if beside and abs(turned) > 0.7 else 0.0
    x, y, heading = thing.x, thing.y, thing.heading
    entered: tuple[float, int] | None = None
    left = 0.0
    for k in range(1, round(HORIZON / STEP) + 1):
        heading += bend * thing.speed * STEP
        x, y = x + thing.speed * STEP * math.cos(heading), y + thing.speed * STEP * math.sin(heading)
        covered = way.covered(outline_of(thing, x, y, heading), reach)
        if covered:
            entered = entered or (k * STEP, covered.start)
            left = k * STEP
        elif entered:
            break
    if entered is None:
        return math.inf
    since, first = entered
    distance = first - car.front
    if distance < 0.0 or time_to(car.speed, distance + car.front + car.rear + 4.0) + 0.5 < since:
        return math.inf  # we are there, or past it before
    if time_to(car.speed, distance - 2.0) > left + 1.0:
        return math.inf  # it is gone before
    return safe_speed(car.speed, distance - 2.0)


def time_to(speed: float, distance: float, acceleration: float = 1.2) -> float:
    """The time [s] that a car takes for a distance [m] that it speeds up on."""
    if distance <= 0.0:
        return 0.0
    return (math.sqrt(speed * speed + 2.0 * acceleration * distance) - speed) / acceleration


@dataclass(frozen=True)
class StopLine:
    """A stop line of the path: its point, the ids of its lights, and the lamps that let one pass on this way."""

    index: int
    lights: tuple[str, ...]
    go: int


class LightWatch:
    """Knows the light ahead, and whether to stop for it.

    Args:
        lines: of the path. count: points of the path. report: is given a line to print.
    """

    def __init__(self, lines: Sequence[StopLine], count: int, report: Callable[[str], None]) -> None:
        self._lines, self._count, self._report = lines, count, report
        self._lamps: dict[str, int] = {}
        self._passing: int | None = None
        self._stopped: int | None = None

    def hear(self, packet: bytes) -> None:
        """Take a status packet of the light ahead."""
        _, _, name, _, lamps = LIGHT.unpack_from(packet)
        self._lamps = {name.split(b"\0")[0].decode(errors="replace"): lamps}

    def speed(self, index: int, car: Car) -> float:
        """The speed that the next light allows.

        Args:
            index: point of the path at which the rear axle is. car: the own one.
        """
        ahead = [((line.index - index) % self._count, line) for line in self._lines]
        distance, line = min(ahead, key=lambda one: one[0], default=(math.inf, None))
        gap = distance - car.front
        if line is None or gap > 150.0:
            return math.inf
        if gap < -LINE_GAP or line.index == self._passing:
            self._passing = line.index if gap < 0.0 else self._passing
            return math.inf  # the front is past the line: clear the junction
        lamps = next((self._lamps[name] for name in line.lights if name in self._lamps), None)
        if lamps is None or lamps & line.go or lamps <= 0:
            self._stopped = None
            return math.inf
        if lamps & YELLOW and gap < car.speed**2 / (2 * HARD) + LIGHT_REACTION * car.speed and car.speed > 1.0:
            return math.inf  # too late to stop for yellow: it lasts longer than what is left takes
        if self._stopped != line.index:
            self._stopped = line.index
            self._report(f"stopping at {line.lights[0]} in {max(gap, 0.0):.0f} m")
        needed = car.speed**2 / (2.0 * max(gap - LINE_GAP - LIGHT_REACTION * car.speed, 0.1))
        return safe_speed(car.speed, gap - LINE_GAP, braking=min(max(COMFORT, 1.1 * needed), 2 * HARD))
