"""What criteria see of a tick in the world: entities, all other actors, contacts, and stop lines at red lights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from dorosim.ground.column import FloatArray
from dorosim.road.network import RoadNetwork
from dorosim.scenario.criterion.compiled import CompiledCriteria, compiled_criteria
from dorosim.scenario.criterion.criterion import Criterion
from dorosim.scenario.criterion.moment import Body, RedLine, RedWay, RunMoment, Touch
from dorosim.scenario.criterion.storyboard_moment import moment_from_storyboard
from dorosim.scenario.openscenario.engine.program import BodyBox, Program
from dorosim.world.actor.body import bodies_of
from dorosim.world.collision.body import BodyKind, BodyTable
from dorosim.world.scene import Scene
from dorosim.world.signal.permission import GovernedLinks, Permission
from dorosim.world.snapshot import Snapshot

_KINDS = {
    BodyKind.EGO: "vehicle",
    BodyKind.NPC: "vehicle",
    BodyKind.GHOST: "vehicle",
    BodyKind.PEDESTRIAN: "pedestrian",
    BodyKind.OBSTACLE: "obstacle",
}


class SceneSight:
    """What does not change in a run and is seen in each of its snapshots.

    Args:
        scene: of the run.
    """

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._lines = dict(_stop_lines(scene.network))
        self._ways = _ways(scene.network)

    def compiled(self, criteria: Sequence[Criterion]) -> CompiledCriteria | None:  # noqa: ARG002
        """Criteria as compiled code has them; None: it knows those of entities of a storyboard only."""
        return None

    def red_lines(self, now: Snapshot) -> tuple[RedLine, ...]:
        """Stop lines at which some way on is red."""
        if not self._lines:
            return ()
        link = now.signal.link
        red = link.entry == Permission.STOP
        found = [line for row, line in self._lines.items() if link.stop_line[row] == Permission.STOP]
        for row, ways in self._ways.items():
            if link.stop_line[row] != Permission.STOP and any(red[way] for way, _ in ways):
                chosen = tuple(RedWay(bool(red[way]), points) for way, points in ways)
                found.append(self._lines[row]._replace(ways=chosen))
        return tuple(found)


class WorldSight(SceneSight):
    """Makes moments of snapshots of a scenario.

    Args:
        program: of the scenario.
        scene: of the run.
        ego: number of the entity that is judged.
    """

    def __init__(self, program: Program, scene: Scene, ego: int) -> None:
        super().__init__(scene)
        self._program, self._ego = program, ego

    def compiled(self, criteria: Sequence[Criterion]) -> CompiledCriteria | None:
        """Criteria as compiled code has them; None where it does not know them."""
        lines = tuple(self._lines.values())
        return compiled_criteria(self._program, self._ego, criteria, lines, self._scene.tick)

    def moment(self, now: Snapshot, time: int) -> RunMoment:
        """The end of a tick.

        Args:
            now: the snapshot after it.
            time: of that, since the storyboard's start [ns].
        """
        state = now.storyboard
        entities = {int(actor): number for number, actor in enumerate(state.entity.actor.tolist()) if actor > 0}
        return moment_from_storyboard(
            self._program,
            state,
            time,
            self._ego,
            self._others(now, entities),
            touched=tuple(self._touched(now, entities)),
            red_lines=self.red_lines(now),
        )

    def _others(self, now: Snapshot, entities: dict[int, int]) -> list[Body]:
        """Actors that are no entities."""
        count = len(now.egos) + now.traffic.rows + now.ghost.rows + now.people.state.rows + now.obstacles.state.rows
        if count <= len(entities):
            return []
        table = bodies_of(self._scene, now).table
        return [body_from_row(table, row) for row, actor in enumerate(table.id.tolist()) if actor not in entities]

    def _touched(self, now: Snapshot, entities: dict[int, int]) -> Iterator[Touch]:
        """What the ego touches."""
        own = int(now.storyboard.entity.actor[self._ego]) if self._ego >= 0 else 0
        contact = now.contact
        if own <= 0 or not contact.rows:
            return
        speed = np.hypot(contact.closing_speed, contact.sliding_speed)
        pairs = zip(contact.first_id.tolist(), contact.second_id.tolist(), speed.tolist(), strict=True)
        for first, second, fast in pairs:
            if own in (first, second):
                other = second if first == own else first
                if other in entities:
                    yield Touch(self._program.entities[entities[other]].name, fast)
                else:
                    yield Touch(f"actor {other}" if other > 0 else "the scenery", fast)


def _stop_lines(network: RoadNetwork) -> Iterator[tuple[int, RedLine]]:
    """All stop lines, with the rows of their links."""
    for link in np.flatnonzero(np.isfinite(network.signals.stop_line)).tolist():
        s = min(float(network.signals.stop_line[link]), float(network.link_length[link]))
        pose = network.pose_at(link, s)
        x, y = pose.point[0, :2].tolist()
        half = 0.5 * float(network.width_at(link, s)[0])
        yield link, RedLine(f"the red light of link {network.link_ids[link]}", x, y, float(pose.heading[0]), half)


def _ways(network: RoadNetwork) -> dict[int, list[tuple[int, FloatArray]]]:
    """The ways on from stop lines that have lights for each way: rows and points of links, by the row of the line's."""
    governed = GovernedLinks.from_network(network)
    found = {}
    for link in governed.approach.tolist():
        after = network.successors.of(link).tolist()
        if len(after) > 1:
            found[link] = [(one, network.points_of(one)) for one in after]
    return found


def body_from_row(table: BodyTable, row: int) -> Body:
    """An actor that is no entity; its origin is the middle of its box."""
    height = 2.0 * float(table.half_height[row])
    box = BodyBox(
        0.0, 0.0, 0.5 * height, 2.0 * float(table.half_length[row]), 2.0 * float(table.half_width[row]), height
    )
    return Body(
        name=f"{_KINDS.get(BodyKind(int(table.kind[row])), 'actor')} {int(table.id[row])}",
        number=-int(table.id[row]),
        x=float(table.x[row]),
        y=float(table.y[row]),
        z=float(table.z[row]) - 0.5 * height,
        heading=float(table.yaw[row]),
        velocity_x=float(table.velocity_x[row]),
        velocity_y=float(table.velocity_y[row]),
        box=box,
    )
