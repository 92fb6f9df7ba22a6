"""What criteria see of a snapshot: actors that are no entities, and stop lines at red lights."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.scenario.criterion.criterion import START
from dorosim.scenario.criterion.moment import Body, RedLine, RunMoment
from dorosim.scenario.criterion.red_light import NoRedLight
from dorosim.scenario.criterion.world_moment import WorldSight
from dorosim.scenario.openscenario.document import open_document
from dorosim.scenario.openscenario.engine.compile import compile_scenario
from dorosim.scenario.openscenario.engine.program import BodyBox, Program
from dorosim.world.signal.permission import Permission
from dorosim.world.snapshot import Snapshot
from tests.scenario.openscenario.sample import scenario
from tests.world.world import World, npcs_about_town, town_world


def program() -> Program:
    """A scenario without entities."""
    return compile_scenario("none.xosc", open_document("none.xosc", scenario()).read().scenario(), None, {})


@pytest.fixture(scope="module")
def town() -> World:
    world = town_world(10.0, 1)
    world.do(*npcs_about_town(world.scene, 30, 1))
    world.run(2.0)
    return world


def test_all_other_actors_are_seen_with_their_boxes(town):
    now = town.now
    others = WorldSight(program(), town.scene, -1).moment(now, 0).others
    assert len(others) == len(now.egos) + 30
    ego = next(one for one in others if one.name == "vehicle 1")
    row = now.parameter
    assert (ego.box.length, ego.box.width) == (pytest.approx(float(row.length[0])), pytest.approx(float(row.width[0])))
    # its origin is the middle of its box here, before the rear axle
    away = math.hypot(ego.x - float(now.vehicle.x[0]), ego.y - float(now.vehicle.y[0]))
    assert 0.5 < away < 2.5
    assert all(one.number < 0 for one in others), "no numbers of entities"


class TestRedLines:
    def lines(self, town: World, now: Snapshot) -> dict[str, RedLine]:
        found = WorldSight(program(), town.scene, -1).moment(now, 0).red_lines
        return {one.name: one for one in found}

    def test_they_are_those_whose_light_is_red(self, town):
        now, network = town.now, town.scene.network
        stop = now.signal.link.stop_line == Permission.STOP
        wanted = np.flatnonzero(stop & np.isfinite(network.signals.stop_line)).tolist()
        assert len(wanted) > 3
        found = {name for name, line in self.lines(town, now).items() if not line.ways}
        assert found == {f"the red light of link {network.link_ids[one]}" for one in wanted}

    def test_where_some_ways_are_red_each_has_its_light(self, town):
        now, network = town.now, town.scene.network
        mixed = {name: line for name, line in self.lines(town, now).items() if line.ways}
        assert mixed, "at some crossing straight on is green, and the left turn is red"
        for name, line in mixed.items():
            after = network.successors.of(network.link_index(name.rpartition(" ")[2])).tolist()
            stop = [now.signal.link.entry[one] == Permission.STOP for one in after]
            assert [way.is_red for way in line.ways] == stop
            assert any(stop)
            assert not all(stop)
            for way in line.ways:
                assert math.dist(way.points[0, :2], (line.x, line.y)) < 2.0, "each begins at the line"

    def test_they_lie_across_the_ends_of_their_links(self, town):
        network = town.scene.network
        for name, line in self.lines(town, town.now).items():
            link = network.link_index(name.rpartition(" ")[2])
            end = network.points_of(link)[-1]
            assert math.hypot(end[0] - line.x, end[1] - line.y) < 1.5
            assert math.cos(line.heading - float(network.heading_at(link, network.link_length[link])[0])) > 0.99
            assert 1.2 < line.half_width < 2.5

    def test_who_comes_over_one_has_run_it(self, town):
        line = next(iter(self.lines(town, town.now).values()))
        criterion, state = NoRedLight(), START
        for way in np.arange(-10.0, 6.0, 0.4).tolist():
            cosine, sine = math.cos(line.heading), math.sin(line.heading)
            body = Body(
                name="Ego",
                number=0,
                x=line.x + way * cosine,
                y=line.y + way * sine,
                heading=line.heading,
                velocity_x=8.0 * cosine,
                velocity_y=8.0 * sine,
                box=BodyBox(x=1.5, length=5.0, width=2.0, height=1.5),
            )
            state = criterion.look(state, RunMoment(time=0, ego=body, red_lines=(line,)))
            # its front is 4 m before its origin
            assert state.failed == (way > -4.0)
        assert (state.other, state.value) == (line.name, pytest.approx(8.0))
