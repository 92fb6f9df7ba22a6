"""What is measured of a cell beside its verdict: the worst values of criticality, and how far it is from its limits."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from dorosim.app.run.scenario_criteria import MAX_PET, CriteriaOptions
from dorosim.app.run.scenario_run import RunTick
from dorosim.scenario.criterion.criterion import Criterion
from dorosim.scenario.criterion.judge import CriterionResult
from dorosim.scenario.criterion.moment import RunMoment
from dorosim.scenario.criterion.track import CriteriaTrack, MomentSight
from dorosim.scenario.criterion.world_moment import WorldSight
from dorosim.world.snapshot import Snapshot

NEAR_M = 5.0
"""Distance at which a cell without contact has the margin 1, where only contact is forbidden [m]."""
FAST_M_S = 10.0
"""Speed of a contact that has the margin -1 [m/s]."""
_LOOSE = 1e-9
"""A limit with which nothing is held against a run: what is measured counts."""


class SharedSight(WorldSight):
    """A sight whose moment of a tick is made once, for all who ask for it."""

    _last: tuple[Snapshot, int, RunMoment] | None = None

    def moment(self, now: Snapshot, time: int) -> RunMoment:
        """The end of a tick (`WorldSight.moment`)."""
        if self._last is None or self._last[0] is not now or self._last[1] != time:
            self._last = now, time, super().moment(now, time)
        return self._last[2]


class CellMeasure:
    """Measures the ticks of a cell.

    Args:
        names: of criteria. sight: makes what these see.

    Attributes:
        track: of the criteria.
        last: the last tick.
    """

    def __init__(self, names: Sequence[str], sight: MomentSight) -> None:
        self._names = tuple(names)
        self.track = CriteriaTrack([_criterion(name) for name in names], sight)
        self.last: RunTick | None = None

    def add(self, tick: RunTick) -> None:
        """Measure a tick; that in which a run ends moves nothing."""
        self.last = tick
        if not tick.ended and tick.world is not None:
            self.track.look(tick.world, tick.state_time)

    def values(self) -> dict[str, float]:
        """The worst values by name; those of which nothing was measured are not there."""
        found = zip(self._names, self.track.states, strict=True)
        return {name: state.value for name, state in found if math.isfinite(state.value)}

    def go_on_from(self, before: CellMeasure) -> None:
        """Know what was measured of another cell, with which this one has its beginning in common."""
        self.track.go_on_from(before.track)
        self.last = before.last


def _criterion(name: str) -> Criterion:
    limit = MAX_PET if name == "min_pet" else _LOOSE if name.startswith("min_") else 1e6
    return CriteriaOptions(**{name: limit}).criteria()[0]  # type: ignore[arg-type]


def margin_of(results: Sequence[CriterionResult], measures: Mapping[str, float]) -> float | None:
    """How far a run is from violating a criterion.

    Args:
        results: what became of its criteria.
        measures: what was measured beside these.

    Returns:
        The least of all criteria: of a limit the part of it that is left, below 0 beyond it; of contacts the distance
        over `NEAR_M`, or the speed over `FAST_M_S` below 0. None where nothing was measured.
    """
    found = [_margin(one, measures) for one in results]
    return min((one for one in found if one is not None and math.isfinite(one)), default=None)


def _margin(one: CriterionResult, measures: Mapping[str, float]) -> float | None:
    if one.limit is None:
        if not one.held:
            return -max(one.value or 0.0, 0.01) / FAST_M_S if one.title.endswith("collision") else -1.0
        near = measures.get("min_distance") if one.title.endswith("collision") else None
        return None if near is None else near / NEAR_M
    if one.value is None:
        return None if one.held else -1.0
    left = (one.value - one.limit) / max(abs(one.limit), 1e-9)
    least = one.held == (left >= 0.0) if abs(left) > 1e-9 else True
    return left if least else -left
