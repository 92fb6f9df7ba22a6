"""When and how pedestrians enter at spawn points. For randomness see `dorosim.world.spawn.vehicle`."""

from __future__ import annotations

import math

import numpy as np

from dorosim.ground.column import IntArray
from dorosim.ground.noise import Noise
from dorosim.world.command import NEW_ACTOR
from dorosim.world.pedestrian.command import SpawnPedestrian
from dorosim.world.spawn.mode import CharacterMode
from dorosim.world.spawn.point import RANDOM_MODEL, Destination
from dorosim.world.spawn.table import NANOSECONDS, UNSCHEDULED, DestinationTable, PedestrianSpawnTable, destinations_of
from dorosim.world.waypoint import Waypoint

WALKING_SPEED = 1.34
"""Mean speed of pedestrians [m/s] (U. Weidmann, Transporttechnik der Fussgänger, IVT ETH Zürich, 1993)."""
_WALKING_DEVIATION = 0.26
"""Standard deviation of that [m/s], drawn to two of them."""
_SPREAD = 0.65
"""Scale of the spiral on which pedestrians that enter together stand [m]; no two are closer than this."""
MAX_PEDESTRIANS_PER_TICK = 50
"""Most pedestrians that enter in one tick, at all points together: 5,000 a second at ticks of 10 ms, and a few
milliseconds of work in each. The rest of a cycle enters with the following ticks."""
_GOLDEN_ANGLE = math.pi * (3.0 - math.sqrt(5.0))


def spawn_pedestrians_due(
    table: PedestrianSpawnTable,
    destinations: DestinationTable,
    model_count: int,
    time: int,
    counts: IntArray,
    noise: Noise,
) -> tuple[PedestrianSpawnTable, tuple[SpawnPedestrian, ...]]:
    """The pedestrians that enter at a time, and the table after it.

    At every cycle of a point a number between its minimum and maximum is drawn, and as many enter as are missing. No
    more than `MAX_PEDESTRIANS_PER_TICK` enter at a time: points are served in their order, and a point that is not
    filled up stays due with the number that it drew. Its next cycle counts from when it is filled up.

    Args:
        table: the points, not changed.
        destinations: where their pedestrians go.
        model_count: how many pedestrian models the catalogue has.
        time: present time [ns], not before that of the last call.
        counts: `(rows,)` pedestrians of each point that are in the world.
        noise: the run's randomness.

    Returns:
        The table after, read-only (the very same if nothing was due), and the pedestrians in the order of their points.
    """
    due = (table.enabled != 0) & (table.next_time <= time)
    if not due.any():
        return table, ()
    after = table.copy()
    entering: list[SpawnPedestrian] = []
    for row in np.flatnonzero(due).tolist():
        counter = int(table.counter[row])
        if table.next_time[row] != UNSCHEDULED:
            stream = noise.stream(f"spawn/pedestrian/{int(table.id[row])}", counter)
            wanted = int(stream.integers(int(table.minimum[row]), int(table.maximum[row]), endpoint=True))
            missing = max(wanted - int(counts[row]), 0)
            count = min(missing, MAX_PEDESTRIANS_PER_TICK - len(entering))
            goals = destinations_of(destinations, int(table.id[row]))
            # at a point that fills up tick by tick, the pedestrians that have just entered stand about it
            inside = int(counts[row]) if wanted > MAX_PEDESTRIANS_PER_TICK else 0
            entering += [
                _pedestrian(table, row, order, order + inside, goals, model_count, noise) for order in range(count)
            ]
            after.spawned[row] += count
            if count < missing:
                continue
        after.counter[row] = counter + 1
        after.next_time[row] = time + round(float(table.period[row]) * NANOSECONDS)
    return after.freeze(), tuple(entering)


def _pedestrian(
    table: PedestrianSpawnTable,
    row: int,
    order: int,
    place: int,
    goals: tuple[Destination, ...],
    model_count: int,
    noise: Noise,
) -> SpawnPedestrian:
    """Draw one of the pedestrians that enter together; `order` counts them, `place` those around the point.

    Draws are addressed by the number of the pedestrian at its point, so they do not depend on how many enter at once.
    They stand on the spiral of H. Vogel (A better way to construct the sunflower head, 1979), which keeps them apart.
    """
    point, number = int(table.id[row]), int(table.spawned[row]) + order
    stream = noise.stream(f"spawn/pedestrian/{point}/person", number)
    mode = CharacterMode(int(table.mode[row]))
    drawn = int(stream.integers(max(model_count, 1)))
    fixed = int(table.model[row])
    pace = float(np.clip(stream.standard_normal(), -2.0, 2.0))
    visit = stream.permutation(len(goals)).tolist() if mode is CharacterMode.NEW_PATH else range(len(goals))
    way = tuple(_place_in(goals[goal], stream) for goal in visit) if mode is not CharacterMode.STAND else ()
    radius, angle = _SPREAD * math.sqrt(place), _GOLDEN_ANGLE * place
    x, y, z, yaw = (float(column[row]) for column in (table.x, table.y, table.z, table.yaw))
    return SpawnPedestrian(
        actor=NEW_ACTOR,
        model=drawn if fixed == RANDOM_MODEL else fixed,
        position=(x + radius * math.cos(angle), y + radius * math.sin(angle), z),
        yaw=yaw,
        speed=WALKING_SPEED + pace * _WALKING_DEVIATION,
        start=True,
        way=way,
        mode=mode,
        leaves=bool(way),  # a pedestrian without a way stays where it entered
        origin=point,
    )


def _place_in(goal: Destination, stream: np.random.Generator) -> Waypoint:
    """A place in the box of a destination, all alike likely."""
    along, across = (float(share) - 0.5 for share in stream.random(2))
    along, across = along * goal.length, across * goal.width
    cosine, sine = math.cos(goal.yaw), math.sin(goal.yaw)
    return Waypoint(goal.x + along * cosine - across * sine, goal.y + along * sine + across * cosine, goal.z)
