"""What criteria see of a tick of a run that plays no storyboard: one of its vehicles, and all other actors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from dorosim.scenario.criterion.moment import Body, RunMoment, Touch
from dorosim.scenario.criterion.world_moment import SceneSight, body_from_row
from dorosim.world.actor.body import bodies_of
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot


class ActorSight(SceneSight):
    """Makes moments of snapshots; the ego is a vehicle with full dynamics. There are no roads of OpenSCENARIO in them.

    Args:
        scene: of the run.
        actor: id of the vehicle that is judged.
    """

    def __init__(self, scene: Scene, actor: int) -> None:
        super().__init__(scene)
        self._actor = actor
        self._last: tuple[Snapshot, RunMoment] | None = None

    def moment(self, now: Snapshot, time: int) -> RunMoment:
        """The end of a tick.

        Args:
            now: the snapshot after it. Its moment is made once, for all who ask for it.
            time: of that, since the start [ns].
        """
        if self._last is None or self._last[0] is not now:
            self._last = now, self._moment(now, time)
        return self._last[1]

    def _moment(self, now: Snapshot, time: int) -> RunMoment:
        table = bodies_of(self._scene, now).table
        found = {actor: body_from_row(table, row) for row, actor in enumerate(table.id.tolist())}
        ego = found.pop(self._actor, None)
        if ego is not None:
            row = now.row_of(self._actor)
            ego = replace(ego, name="ego", acceleration=float(now.vehicle.acceleration[0, row]))
        return RunMoment(
            time=time,
            ego=ego,
            others=tuple(found.values()),
            touched=tuple(self._touched(now, found)),
            red_lines=self.red_lines(now),
        )

    def _touched(self, now: Snapshot, others: dict[int, Body]) -> Iterator[Touch]:
        """What the vehicle touches."""
        contact = now.contact
        if not contact.rows:
            return
        speed = np.hypot(contact.closing_speed, contact.sliding_speed)
        for first, second, fast in zip(
            contact.first_id.tolist(), contact.second_id.tolist(), speed.tolist(), strict=True
        ):
            if self._actor in (first, second):
                other = second if first == self._actor else first
                yield Touch(others[other].name if other in others else "the scenery", fast)
