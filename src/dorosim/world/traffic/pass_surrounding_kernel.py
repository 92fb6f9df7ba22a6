"""What stands around a vehicle that would pass, as boxes along its own path."""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import Columns, FloatArray, float64
from dorosim.ground.jit import inner_kernel, outlined_kernel
from dorosim.ground.unit import METRE
from dorosim.world.traffic.decision_table_kernel import ENTRY, VEHICLE, Workspace, span_of
from dorosim.world.traffic.lane_beside_kernel import lane_beyond
from dorosim.world.traffic.road import BESIDE, LINK, RoadArrays
from dorosim.world.traffic.state import Obstruction, TrafficState

MAX_PASS_HALT_SPEED = 0.3
"""A vehicle on a lane beside that is slower than this stands where it is while another passes it [m/s]: its driver sees
the one that passes as an obstruction."""

MAX_SURROUNDING_BOXES = 96

_TRAFFIC = TrafficState.at
_OBSTRUCTION = Obstruction.at


class PathBox(Columns):
    """Columns of the boxes around a path."""

    rear = float64(METRE, "along the path, from the start of the vehicle's link")
    front = float64(METRE, "along the path")
    right = float64(METRE, "from the middle of the lane, left positive")
    left = float64(METRE, "from the middle of the lane, left positive")


BOX = PathBox.at
"""Where the columns are in a box."""

_COLUMNS = PathBox.float_width


@inner_kernel
def add_box(boxes: FloatArray, count: int, rear: float, front: float, right: float, left: float) -> int:
    """Add a box, where there is room for it. Returns how many there are then."""
    if count < boxes.shape[0]:
        boxes[count, BOX.rear], boxes[count, BOX.front] = rear, front
        boxes[count, BOX.right], boxes[count, BOX.left] = right, left
        return count + 1
    return count


@outlined_kernel
def surrounding_boxes(road: RoadArrays, work: Workspace, row: int, end: float) -> FloatArray:
    """`(N, 4)` of `PathBox`: obstructions on the lanes ahead, and vehicles that stand on the lanes beside these.

    Args:
        road: the roads.
        work: scratch.
        row: of the vehicle that would pass.
        end: how far ahead they matter, from the start of its link [m].
    """
    boxes, count, way = np.empty((MAX_SURROUNDING_BOXES, _COLUMNS)), 0, 0.0
    begin = work.vehicle[row, VEHICLE.s] - work.vehicle[row, VEHICLE.length]
    for k in range(work.vehicle_ints[row, VEHICLE.path_count]):
        if way > end:
            break
        link = work.path[row, k]
        for at in span_of(work.body_span, link):
            one = work.obstruction_row[at]
            if work.obstruction[_OBSTRUCTION.passing_vehicle, one] == work.vehicle_ints[row, VEHICLE.row] + 1.0:
                continue
            count = add_box(
                boxes,
                count,
                way + work.obstruction[_OBSTRUCTION.rear, one],
                way + work.obstruction[_OBSTRUCTION.front, one],
                work.obstruction[_OBSTRUCTION.right, one],
                work.obstruction[_OBSTRUCTION.left, one],
            )
        stations = road.station_first[link + 1] - road.station_first[link]
        spacing = road.link[link, LINK.length] / max(stations - 1, 1)
        for number in range(stations):
            place = way + number * spacing
            if begin - 2.0 * spacing < place < end + 2.0 * spacing:
                for side in range(2):
                    at = 2 * (road.station_first[link] + number) + side
                    count = add_standing_vehicles(road, work, row, at, place, 0.5 * spacing, boxes, count)
        way += road.link[link, LINK.length]
    return boxes[:count]


@inner_kernel
def add_standing_vehicles(
    road: RoadArrays, work: Workspace, row: int, at: int, place: float, near: float, boxes: FloatArray, count: int
) -> int:
    """Add the vehicles that stand beside a station, the middle of which is `near` it. Returns how many boxes there are.

    Args:
        road: the roads.
        work: scratch.
        row: of the vehicle that would pass.
        at: the station, a row of `RoadArrays.beside`.
        place: of that station along the path [m].
        near: half of the distance between stations [m].
        boxes: out.
        count: how many there are.
    """
    other = int(road.beside[at, BESIDE.link])
    if other < 0:
        return count
    centre = road.beside[at, BESIDE.distance] * (1.0 if at % 2 == 0 else -1.0)
    lane = (other, road.beside[at, BESIDE.direction], road.beside[at, BESIDE.place], centre)
    return add_standing_vehicles_on(work, row, lane, place, near, boxes, count)


@inner_kernel
def add_standing_vehicles_on(
    work: Workspace,
    row: int,
    lane: tuple[int, float, float, float],
    place: float,
    near: float,
    boxes: FloatArray,
    count: int,
) -> int:
    """Add the vehicles that stand on a lane as of `lane_beyond`; arguments as of `add_standing_vehicles`."""
    other, direction, level, centre = lane
    for entry in span_of(work.entry_span, other):
        one = work.entry_vehicle[entry]
        middle = 0.5 * (work.entry[entry, ENTRY.front] + work.entry[entry, ENTRY.rear]) - level
        if one == row or abs(middle) > near + 0.1 or work.vehicle[one, VEHICLE.speed] > MAX_PASS_HALT_SPEED:
            continue
        half_length, half = 0.5 * work.vehicle[one, VEHICLE.length], 0.5 * work.floats[_TRAFFIC.width, one]
        slope, lateral = work.floats[_TRAFFIC.lateral_slope, one], work.floats[_TRAFFIC.lateral, one]
        reach = half + half_length * abs(slope)
        # from the origin, at the rear axle, to the middle of the body
        ahead = work.floats[_TRAFFIC.wheelbase, one] + work.floats[_TRAFFIC.front_overhang, one] - half_length
        lateral = centre + direction * (lateral + ahead * slope)
        along = place + direction * middle
        count = add_box(boxes, count, along - half_length, along + half_length, lateral - reach, lateral + reach)
    return count


@outlined_kernel
def boxes_beyond(road: RoadArrays, work: Workspace, row: int, side: int, end: float, boxes: FloatArray) -> FloatArray:
    """`boxes`, and behind them those of a way over two lanes: what stands in the first, and vehicles in the second.

    Args:
        road: the roads.
        work: scratch.
        row: of the vehicle that would pass.
        side: 0 left, 1 right.
        end: as of `surrounding_boxes`.
        boxes: likewise.
    """
    found, count, way = np.empty((2 * MAX_SURROUNDING_BOXES, _COLUMNS)), boxes.shape[0], 0.0
    found[:count] = boxes
    begin = work.vehicle[row, VEHICLE.s] - work.vehicle[row, VEHICLE.length]
    for k in range(work.vehicle_ints[row, VEHICLE.path_count]):
        if way > end:
            break
        link = work.path[row, k]
        stations = road.station_first[link + 1] - road.station_first[link]
        spacing = road.link[link, LINK.length] / max(stations - 1, 1)
        for number in range(stations):
            place = way + number * spacing
            at = 2 * (road.station_first[link] + number) + side
            if begin - 2.0 * spacing < place < end + 2.0 * spacing and road.beside[at, BESIDE.link] >= 0.0:
                beyond = lane_beyond(road, at)
                if beyond[0] >= 0:
                    count = add_standing_vehicles_on(work, row, beyond, place, 0.5 * spacing, found, count)
                count = add_obstructions_beside(road, work, row, at, place, 0.5 * spacing, found, count)
        way += road.link[link, LINK.length]
    return found[:count]


@inner_kernel
def add_obstructions_beside(
    road: RoadArrays, work: Workspace, row: int, at: int, place: float, near: float, boxes: FloatArray, count: int
) -> int:
    """Add what stands on the lane beside a station, the middle of which is `near` it; as `add_standing_vehicles`."""
    direction = road.beside[at, BESIDE.direction]
    centre = road.beside[at, BESIDE.distance] * (1.0 if at % 2 == 0 else -1.0)
    for entry in span_of(work.body_span, int(road.beside[at, BESIDE.link])):
        one = work.obstruction_row[entry]
        rear, front = work.obstruction[_OBSTRUCTION.rear, one], work.obstruction[_OBSTRUCTION.front, one]
        middle = 0.5 * (rear + front) - road.beside[at, BESIDE.place]
        if (
            work.obstruction[_OBSTRUCTION.passing_vehicle, one] == work.vehicle_ints[row, VEHICLE.row] + 1.0
            or abs(middle) > near + 0.1
        ):
            continue
        along, half_length = place + direction * middle, 0.5 * (front - rear)
        lateral = centre + direction * 0.5 * (
            work.obstruction[_OBSTRUCTION.right, one] + work.obstruction[_OBSTRUCTION.left, one]
        )
        half = 0.5 * (work.obstruction[_OBSTRUCTION.left, one] - work.obstruction[_OBSTRUCTION.right, one])
        count = add_box(boxes, count, along - half_length, along + half_length, lateral - half, lateral + half)
    return count
