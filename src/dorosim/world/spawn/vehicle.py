"""When and how NPC vehicles enter at spawn points.

Randomness is addressed by point and by the number of the draw, so a point draws the same numbers whatever other points
do, in one run or in a run that is continued from a Snapshot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.noise import Noise
from dorosim.road.network import RoadNetwork
from dorosim.world.spawn.mode import BiasRule, LengthSet, SpeedRange, SpeedRule, length_type_of
from dorosim.world.spawn.point import RANDOM_MODEL
from dorosim.world.spawn.table import NANOSECONDS, UNSCHEDULED, VehicleSpawnTable
from dorosim.world.traffic.command import CreateNpc
from dorosim.world.vehicle.model import VehicleModel

NOT_A_CAR = "robot"
"""Category of vehicles that are never drawn at random."""
_BIAS_SIGMAS = 3.0
"""Half the range of a Gaussian bias in standard deviations."""


@dataclass(frozen=True, slots=True, eq=False)
class SpawnPlan:
    """What vehicle spawn points need of the scene; made once.

    Attributes:
        speed_limit, link_length: `(L,)` of each link [m/s], [m].
        names: of the vehicle models.
        models: for each value of LengthSet the rows of the models that are drawn; never empty.
    """

    speed_limit: FloatArray
    link_length: FloatArray
    names: tuple[str, ...]
    models: tuple[tuple[int, ...], ...]

    @classmethod
    def from_scene(cls, network: RoadNetwork, models: Sequence[VehicleModel]) -> Self:
        """The plan of a map and a vehicle catalogue, of which robots are not drawn."""
        cars = [row for row, model in enumerate(models) if model.category != NOT_A_CAR]
        bits = {row: 1 << length_type_of(models[row].length) for row in cars}
        drawn = tuple(
            tuple(row for row in cars if bits[row] & lengths_set) or tuple(cars) or (0,)
            for lengths_set in range(LengthSet.ALL + 1)
        )
        return cls(network.link_speed_limit, network.link_length, tuple(model.name for model in models), drawn)


def spawn_vehicles_due(
    plan: SpawnPlan,
    table: VehicleSpawnTable,
    time: int,
    counts: IntArray,
    noise: Noise,
    blocked: NDArray[np.bool_] | None = None,
) -> tuple[VehicleSpawnTable, tuple[CreateNpc, ...]]:
    """Vehicles that enter at a time, and the table after it.

    A point spawns at most one vehicle per call. From one entry to the next passes a time drawn evenly from the point's
    period range, rounded up to the next call. A point that has its maximum lets the entry pass and draws another
    period; a point whose entry is blocked waits for the first call at which it is free.

    Args:
        plan: what the points need of the scene.
        table: the points, not changed.
        time: present time [ns], not before that of the last call.
        counts: `(rows,)` vehicles of each point that are in the world.
        noise: the run's randomness.
        blocked: `(rows,)` points at whose entry there is no room; None for none.

    Returns:
        The table after, read-only (the very same if nothing was due), and the vehicles in the order of their points.
    """
    due = (table.enabled != 0) & (table.start_link >= 0) & (table.next_time <= time)
    if blocked is not None:
        due &= ~blocked | (table.next_time == UNSCHEDULED)
    if not due.any():
        return table, ()
    after = table.copy()
    entering: list[CreateNpc] = []
    for row in np.flatnonzero(due).tolist():
        if table.next_time[row] != UNSCHEDULED and counts[row] < table.maximum[row]:
            entering.append(_vehicle(plan, table, row, noise))
            after.spawned[row] += 1
        _draw_period(after, row, time, noise)
    return after.freeze(), tuple(entering)


def _draw_period(table: VehicleSpawnTable, row: int, time: int, noise: Noise) -> None:
    """Write when the next vehicle of a point is due."""
    counter = int(table.counter[row])
    share = noise.stream(f"spawn/vehicle/{int(table.id[row])}/period", counter).random()
    shortest, longest = float(table.shortest_period[row]), float(table.longest_period[row])
    table.next_time[row] = time + round((shortest + share * (longest - shortest)) * NANOSECONDS)
    table.counter[row] = counter + 1


def _vehicle(plan: SpawnPlan, table: VehicleSpawnTable, row: int, noise: Noise) -> CreateNpc:
    """Draw the next vehicle of a point. The order of the draws is part of what a recording depends on."""
    stream = noise.stream(f"spawn/vehicle/{int(table.id[row])}/entry", int(table.counter[row]))
    share = stream.random(4)
    link = int(table.start_link[row])
    limit = float(plan.speed_limit[link])
    ratio, speed = _desired(table, row, float(share[2]))
    return CreateNpc(
        model=plan.names[_model(plan, table, row, float(share[0]))],
        link=link,
        s=min(max(float(table.start_s[row]), 0.0), float(plan.link_length[link])),
        speed=_entry_speed(table, row, float(share[1]), limit),
        # the point draws how its vehicles differ
        ratio=ratio,
        exact_ratio=True,
        desired_speed=speed,
        bias=_bias(table, row, float(share[3]), stream),
        spawn_point=int(table.id[row]),
        end=int(table.end_link[row]),
        close_loop=bool(table.close_loop[row]),
        lane_change=bool(table.lane_change[row]),
    )


def _model(plan: SpawnPlan, table: VehicleSpawnTable, row: int, share: float) -> int:
    fixed = int(table.model[row])
    if fixed != RANDOM_MODEL:
        return fixed
    models = plan.models[int(table.lengths[row]) & LengthSet.ALL]
    return models[min(int(share * len(models)), len(models) - 1)]


def _entry_speed(table: VehicleSpawnTable, row: int, share: float, limit: float) -> float:
    if table.speed_rule[row] == SpeedRule.LINK:
        return _between(float(table.lowest_speed_ratio[row]), float(table.highest_speed_ratio[row]), share) * limit
    return _between(float(table.lowest_speed[row]), float(table.highest_speed[row]), share)


def _desired(table: VehicleSpawnTable, row: int, share: float) -> tuple[float, float]:
    """Ratio and speed, of which one is 0."""
    by_link = table.desired_rule[row] == SpeedRule.LINK
    low, high = (
        (float(table.lowest_desired_ratio[row]), float(table.highest_desired_ratio[row]))
        if by_link
        else (float(table.lowest_desired[row]), float(table.highest_desired[row]))
    )
    value = (low or high) if table.desired_range[row] == SpeedRange.CONSTANT else _between(low, high, share)
    return (value, 0.0) if by_link else (0.0, value)


def _bias(table: VehicleSpawnTable, row: int, share: float, stream: np.random.Generator) -> float:
    low, high = float(table.lowest_bias[row]), float(table.highest_bias[row])
    if table.bias_rule[row] == BiasRule.GAUSSIAN:
        sigmas = min(max(float(stream.standard_normal()), -_BIAS_SIGMAS), _BIAS_SIGMAS)
        return (low + high) / 2 + sigmas * (high - low) / (2 * _BIAS_SIGMAS)
    return _between(low, high, share)


def _between(low: float, high: float, share: float) -> float:
    return low + share * (high - low)
