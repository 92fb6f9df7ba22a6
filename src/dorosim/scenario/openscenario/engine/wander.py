"""Entities that turn at random where roads divide (ASAM OpenSCENARIO XML 1.3, RandomRouteAction)."""

from __future__ import annotations

from dorosim.ground.noise import Noise
from dorosim.scenario.openscenario.engine.frame import RoadOfWay, StoryboardFrame
from dorosim.scenario.openscenario.engine.placing import is_forward
from dorosim.scenario.openscenario.engine.program import Use
from dorosim.scenario.openscenario.engine.route import give_way


def wander(frame: StoryboardFrame, entity: int) -> None:
    """Let an entity go on at random from now on."""
    frame.control[entity].wanders = 1
    give_way(frame, entity, [])


def stop_wandering(frame: StoryboardFrame, entity: int) -> None:
    """Let an entity that has been given a way no longer go on at random."""
    if Use.WANDER in frame.program.uses:
        frame.control[entity].wanders = 0


def choose_ways(frame: StoryboardFrame) -> None:
    """Give entities that go on at random the next road, as soon as they are on the last one that they have."""
    if Use.WANDER not in frame.program.uses or frame.program.roads is None:
        return
    for number, control in enumerate(frame.control):
        if control.wanders and frame.present(number) and frame.entity[number].road >= 0:
            _choose_way(frame, number)


def _choose_way(frame: StoryboardFrame, entity: int) -> None:
    row, roads = frame.entity[entity], frame.program.roads
    assert roads is not None
    way = frame.route.get(entity, [])
    if len(way) > 1 and way[0].road == row.road:
        return
    forward = is_forward(row)
    if row.speed < 0.0:
        forward = not forward
    lanes = [one.id for one in roads.roads[row.road].lanes(roads.roads[row.road].section_at(row.s))]
    found = roads.passages(row.road, row.lane, forward)
    if not found:
        # its lane ends here: those beside it may go on
        found = [one for lane in lanes if lane * row.lane > 0 for one in roads.passages(row.road, lane, forward)]
    if not found:
        return
    draw = Noise(frame.program.seed).key(f"scenario/wander/{entity}/{frame.time}")
    chosen = found[draw % len(found)]
    here = RoadOfWay(row.road, 1 if forward else -1, roads.roads[row.road].length if forward else 0.0)
    course = roads.roads[chosen.road]
    there = RoadOfWay(chosen.road, 1 if chosen.at_start else -1, course.length if chosen.at_start else 0.0)
    give_way(frame, entity, [here, there])
