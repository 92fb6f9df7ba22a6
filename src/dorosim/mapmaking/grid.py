"""Plans of towns on a grid of streets inside a ring road, by seed and size.

The grid's lines are unevenly spaced and its junctions moved about, so that blocks differ and streets wind a
little. One row is the avenue that ends at the ring's interchanges; one column is a one-way street; a junction of
single-lane streets is a roundabout and another has stop signs. Grid corners become bends.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from dorosim.ground.noise import Noise
from dorosim.mapmaking.curve import CurvePose, Reals
from dorosim.mapmaking.plan import (
    AVENUE,
    LOCAL,
    ONE_WAY,
    STREET,
    Arm,
    Control,
    Heading,
    Interchange,
    MapPlan,
    Road,
    RoadClass,
    Site,
    Size,
)

_OFF_RING = 48.0
"""Distance of an interchange's junctions from the axis of the ring [m]."""


@dataclass(frozen=True, slots=True)
class _Scale:
    """Numbers of a town size: grid lines, spacing [m], how far junctions move [m], how far the ring lies off [m]."""

    columns: int
    rows: int
    spacing: tuple[float, float]
    jitter: float
    margin: tuple[float, float]
    grade: float


_SCALES = {
    Size.SMALL: _Scale(2, 3, (210.0, 110.0), 5.0, (195.0, 130.0), 0.025),
    Size.DEFAULT: _Scale(4, 4, (200.0, 165.0), 8.0, (160.0, 150.0), 0.04),
    Size.LARGE: _Scale(10, 9, (265.0, 255.0), 14.0, (215.0, 215.0), 0.045),
}

Cell = tuple[int, int]
"""Column and row of a grid crossing."""


class _Grid:
    """Grid crossings, what joins them, and the town's random choices."""

    def __init__(self, scale: _Scale, noise: Noise) -> None:
        self.scale = scale
        self.avenue_row = scale.rows // 2
        self.one_way_column = self._draw_one_way(noise)
        random = noise.stream("plan/place")
        xs = _lines(scale.columns, scale.spacing[0], random)
        ys = _lines(scale.rows, scale.spacing[1], random)
        self.half_width = float(np.max(np.abs(xs))) + scale.margin[0]
        self.half_height = float(np.max(np.abs(ys))) + scale.margin[1]
        self.place: dict[Cell, tuple[float, float]] = {}
        for cell in self.cells():
            dx, dy = random.uniform(-scale.jitter, scale.jitter, 2).tolist()
            on_avenue = cell[1] == self.avenue_row
            self.place[cell] = (float(xs[cell[0]]) + dx, float(ys[cell[1]]) + (0.0 if on_avenue else dy))
        self.row_class, self.column_class = self._draw_classes(noise)
        self.missing = self._draw_missing(noise)

    def cells(self) -> list[Cell]:
        """All crossings, row by row."""
        return [(column, row) for row in range(self.scale.rows) for column in range(self.scale.columns)]

    def _draw_one_way(self, noise: Noise) -> int | None:
        if self.scale.columns < 4:
            return None
        return int(noise.stream("plan/one-way").integers(1, self.scale.columns - 1))

    def _draw_classes(self, noise: Noise) -> tuple[list[RoadClass], list[RoadClass]]:
        """A road class for each row and each column; the first and the last row are single-lane streets."""
        random = noise.stream("plan/class")
        rows = [STREET if random.random() < 0.5 else LOCAL for _ in range(self.scale.rows)]
        rows[0], rows[-1], rows[self.avenue_row] = LOCAL, LOCAL, AVENUE
        columns = [STREET if random.random() < 0.6 else LOCAL for _ in range(self.scale.columns)]
        columns[0] = STREET
        if self.scale.columns > 6:
            columns[self.scale.columns // 2] = AVENUE
        if self.one_way_column is not None:
            columns[self.one_way_column] = ONE_WAY
        return rows, columns

    def _draw_missing(self, noise: Noise) -> set[tuple[Cell, Cell]]:
        """Some edges between inner crossings that are not built; never two at one crossing."""
        random = noise.stream("plan/missing")
        missing: set[tuple[Cell, Cell]] = set()
        touched: set[Cell] = set()
        for column, row in self.cells():
            edge = ((column, row), (column, row + 1))
            inner = 0 < column < self.scale.columns - 1 and 0 < row < self.scale.rows - 2
            plain = column != self.one_way_column and self.column_class[column] is not AVENUE
            if inner and plain and random.random() < 0.2 and not touched & set(edge):
                missing.add(edge)
                touched |= set(edge)
        return missing

    def neighbour(self, cell: Cell, heading: Heading) -> Cell | None:
        """The crossing in a direction that a road leads to."""
        dx, dy = {0: (1, 0), 1: (0, 1), 2: (-1, 0), 3: (0, -1)}[heading.value]
        other = (cell[0] + dx, cell[1] + dy)
        if not (0 <= other[0] < self.scale.columns and 0 <= other[1] < self.scale.rows):
            return None
        if (cell, other) in self.missing or (other, cell) in self.missing:
            return None
        return other

    def headings(self, cell: Cell) -> list[Heading]:
        """Directions in which grid roads leave a crossing."""
        return [heading for heading in Heading if self.neighbour(cell, heading) is not None]

    def is_bend(self, cell: Cell) -> bool:
        """Whether a crossing is only a bend of one street."""
        ends_avenue = cell[1] == self.avenue_row and cell[0] in (0, self.scale.columns - 1)
        return len(self.headings(cell)) == 2 and not ends_avenue


def plan_town(size: Size, noise: Noise) -> MapPlan:
    """The plan of a town.

    Args:
        size: how large.
        noise: whose streams decide on spacing, road classes and special junctions.
    """
    grid = _Grid(_SCALES[size], noise)
    plan = MapPlan(grid.half_width, grid.half_height, grade=grid.scale.grade)
    sites = [cell for cell in grid.cells() if not grid.is_bend(cell)]
    special = _choose_special(grid, sites, noise)
    for cell in sites:
        control = special.get(cell, Control.SIGNAL)
        plan.sites[_key(cell)] = Site(*grid.place[cell], control, _major(grid, cell))
    for cell in sites:
        for heading in (Heading.EAST, Heading.NORTH, Heading.WEST, Heading.SOUTH):
            road = _trace_road(grid, special, cell, heading)
            if road is not None:
                plan.roads.append(road)
    _add_interchange(plan, grid, Heading.EAST)
    _add_interchange(plan, grid, Heading.WEST)
    _add_lots(plan, noise, 1 if size is not Size.LARGE else 5)
    return plan


def _lines(count: int, spacing: float, random: np.random.Generator) -> Reals:
    """Positions of grid lines about 0 [m], with gaps between 0.88 and 1.12 of `spacing`."""
    gaps = spacing * random.uniform(0.88, 1.12, count - 1)
    lines = np.concatenate(([0.0], np.cumsum(gaps)))
    centred: Reals = lines - 0.5 * lines[-1]
    return centred


def _key(cell: Cell) -> str:
    return f"{cell[0]},{cell[1]}"


def _choose_special(grid: _Grid, sites: list[Cell], noise: Noise) -> dict[Cell, Control]:
    """Which crossings are roundabouts or have stop signs: one of each in the outer rows, more in large towns."""
    if grid.scale.columns < 4:
        return {}
    random = noise.stream("plan/control")
    special: dict[Cell, Control] = {}
    for row, control in ((grid.scale.rows - 1, Control.ROUNDABOUT), (0, Control.STOP)):
        able = [cell for cell in sites if cell[1] == row and cell[0] not in (grid.one_way_column,)]
        able = [cell for cell in able if grid.column_class[cell[0]] is not AVENUE]
        for cell in random.permutation(len(able))[: max(1, len(able) // 3)].tolist():
            special[able[cell]] = control
    for cell in sites:
        inner = 0 < cell[1] < grid.scale.rows - 1
        small = grid.row_class[cell[1]] is LOCAL and grid.column_class[cell[0]] is LOCAL
        if inner and small:
            special[cell] = Control.ROUNDABOUT if random.random() < 0.5 else Control.STOP
    return special


def _major(grid: _Grid, cell: Cell) -> tuple[Heading, ...]:
    """The road with priority: the one that goes on at both sides, the row before the column."""
    headings = grid.headings(cell)
    for pair in ((Heading.EAST, Heading.WEST), (Heading.NORTH, Heading.SOUTH)):
        if set(pair) <= set(headings):
            return pair
    return ()


def _trace_road(grid: _Grid, special: dict[Cell, Control], start: Cell, heading: Heading) -> Road | None:
    """The road that leaves a crossing, through bends up to the next junction; None if the other end draws it."""
    here, going = start, heading
    following = grid.neighbour(here, going)
    if following is None:
        return None
    via: list[CurvePose] = []
    bends = 0
    while grid.is_bend(following):
        here = following
        onward = [item for item in grid.headings(here) if item is not going.turned(2)]
        bends += onward[0] is not going
        going = onward[0]
        nearest = grid.neighbour(here, going)
        if nearest is None:
            return None
        if grid.is_bend(nearest):
            (x0, y0), (x1, y1) = grid.place[here], grid.place[nearest]
            via.append(CurvePose(0.5 * (x0 + x1), 0.5 * (y0 + y1), going.angle))
        following = nearest
    arrival = going.turned(2)
    if via or bends:
        backwards = (following, arrival.value) < (start, heading.value)
    else:
        backwards = heading in (Heading.WEST, Heading.SOUTH)
    if backwards:
        return None
    kind = _road_class(grid, special, start, following, heading)
    return Road(Arm(_key(start), heading), Arm(_key(following), arrival), kind, tuple(via))


def _road_class(grid: _Grid, special: dict[Cell, Control], start: Cell, end: Cell, heading: Heading) -> RoadClass:
    """The class of a road between two junctions: a single lane at a roundabout, else that of its row or column."""
    if Control.ROUNDABOUT in (special.get(start), special.get(end)):
        return LOCAL
    if start[0] == end[0] and heading in (Heading.NORTH, Heading.SOUTH):
        return grid.column_class[start[0]]
    if start[1] == end[1] and heading in (Heading.EAST, Heading.WEST):
        return grid.row_class[start[1]]
    return LOCAL


def _add_interchange(plan: MapPlan, grid: _Grid, heading: Heading) -> None:
    """Lead the avenue out of the grid, under the ring, to a junction beyond it."""
    side = 1.0 if heading is Heading.EAST else -1.0
    column = grid.scale.columns - 1 if heading is Heading.EAST else 0
    gate = _key((column, grid.avenue_row))
    y = plan.sites[gate].y
    inner, outer = f"inner {heading.name}", f"outer {heading.name}"
    crossing = (side * plan.half_width, y)
    signalled = Control.SIGNAL if grid.scale.columns > 2 else Control.STOP
    along = (heading, heading.turned(2))
    plan.sites[inner] = Site(crossing[0] - side * _OFF_RING, y, signalled, along)
    plan.sites[outer] = Site(crossing[0] + side * _OFF_RING, y, Control.STOP, (heading.turned(2),))
    plan.roads.append(Road(Arm(gate, heading), Arm(inner, heading.turned(2)), STREET))
    plan.roads.append(Road(Arm(inner, heading), Arm(outer, heading.turned(2)), LOCAL))
    plan.interchanges.append(Interchange(heading, inner, outer, crossing))


def _add_lots(plan: MapPlan, noise: Noise, count: int) -> None:
    """Cut streets in two at junctions that lead to parking lots."""
    random = noise.stream("plan/lot")
    able = [index for index, road in enumerate(plan.roads) if _can_have_lot(road)]
    chosen = sorted(random.permutation(able)[:count].tolist(), reverse=True)
    for number, index in enumerate(chosen):
        road = plan.roads.pop(index)
        first, last = plan.sites[road.start.site], plan.sites[road.end.site]
        heading = road.start.heading
        place = CurvePose(0.5 * (first.x + last.x), 0.5 * (first.y + last.y), heading.angle)
        if road.via:
            place = road.via[0]
            heading = next(item for item in Heading if item.angle == place.heading)
        key = f"lot {number}"
        site = Site(place.x, place.y, Control.YIELD, (heading, heading.turned(2)))
        plan.sites[key] = site
        plan.roads.append(replace(road, end=Arm(key, heading.turned(2)), via=()))
        plan.roads.append(replace(road, start=Arm(key, heading), via=()))
        plan.lots.append(Arm(key, heading.turned(1) if _inside(site, heading.turned(1)) else heading.turned(3)))


def _can_have_lot(road: Road) -> bool:
    """Whether a road is a two-way street of one or two lanes within the grid, with a straight middle."""
    inside = "," in road.start.site and "," in road.end.site
    straight = road.start.heading is road.end.heading.turned(2) and not road.via
    return inside and road.kind in (LOCAL, STREET) and (straight or len(road.via) == 1)


def _inside(site: Site, heading: Heading) -> bool:
    """Whether a direction leads towards the middle of the town."""
    dx, dy = ((1, 0), (0, 1), (-1, 0), (0, -1))[heading.value]
    return site.x * dx + site.y * dy < 0
