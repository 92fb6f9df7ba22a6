"""Drivers whose lane stays blocked back up, turn around and drive on elsewhere, and touch nothing on their way."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import Polygon

from dorosim.world.actor.command import PlaceActor
from dorosim.world.snapshot import Snapshot
from dorosim.world.traffic.command import CreateNpc
from dorosim.world.traffic.manoeuvre import code_of_turns, count_standing, stuck_rows, turns_of_code
from dorosim.world.traffic.manoeuvre_kernel import BODY, BOX, GOAL, MANOEUVRE_HORIZON, find_manoeuvre
from dorosim.world.traffic.state import MANOEUVRE_PARTS, Presence, Waiting
from tests.road.small_map import network_of, straight
from tests.world.traffic.rig import overlaps, run_with
from tests.world.world import CAR, World, street

BUS = "2018_Hyundai_ElecCity"
ROAD = network_of(straight("right", "A", "B", (0, 0, 0), (400, 0, 0), width_start=3.2, width_end=3.2))

ACROSS = ((300.0, -9.5), (300.0, 2.3))
"""Where buses stand across the street, so that nobody finds a way past them."""


class Blocked:
    """The street with a barrier across all of its lanes, and vehicles that come towards it."""

    def __init__(self, models: tuple[str, ...]) -> None:
        self.world = World(street(50.0), [(CAR, (30.0, 7.0, 0.0), math.pi)])
        link = self.world.scene.network.link_index("E1")
        barrier = [CreateNpc(model=BUS, link=link, s=20.0 + 20.0 * number) for number in range(len(ACROSS))]
        ids = self.world.do(*barrier)
        self.world.do(
            *(
                PlaceActor(actor, (x, y, 0.0), (0.0, 0.0, math.pi / 2))
                for actor, (x, y) in zip(ids, ACROSS, strict=True)
            )
        )
        self.ids = self.world.do(
            *(CreateNpc(model=model, link=link, s=200.0 - 25.0 * at, speed=8.0) for at, model in enumerate(models))
        )
        self.jump, self.backwards, self.touched = 0.0, 0.0, False
        self.turned = np.zeros(len(models), np.bool_)
        self._was = self.world.now

    def rows(self) -> np.ndarray:
        return np.searchsorted(self.world.now.traffic.id, self.ids)

    def look(self, now: Snapshot) -> None:
        """See how far each moves, whether it goes backwards, and whether any touch."""
        dt, rows = now.time * 1e-9 - self._was.time * 1e-9, self.rows()
        was, traffic = self._was.traffic, now.traffic
        way = np.hypot(traffic.x - was.x, traffic.y - was.y)[rows]
        # who has turned may leave the map at its edge and come in elsewhere
        more = np.where(self.turned, 0.0, way - np.maximum(traffic.speed, was.speed)[rows] * dt)
        self.jump = max(self.jump, float(more.max()))
        forwards = traffic.slide_x * np.cos(traffic.yaw) + traffic.slide_y * np.sin(traffic.yaw)
        self.backwards = min(self.backwards, float(forwards[rows].min()))
        self.touched |= bool(now.contact.rows or overlaps(traffic))
        self.turned |= (np.cos(traffic.yaw[rows]) < -0.99) & (traffic.present[rows] == Presence.ON_LANE)
        self._was = now


@pytest.mark.parametrize("models", [(CAR,), (BUS,), (CAR, CAR, BUS, CAR)])
def test_before_a_barrier_across_the_street_all_turn_around(models):
    blocked = Blocked(models)
    for _ in range(180):
        blocked.world.run(1.0, blocked.look)
        if blocked.turned.all():
            break
    assert blocked.turned.all()
    assert not blocked.touched
    assert blocked.jump < 0.3
    if BUS in models:
        assert blocked.backwards < -0.5


def test_it_is_the_same_every_time():
    first, second = (Blocked((CAR, CAR)).world.run(90.0) for _ in range(2))
    assert (first.traffic.floats == second.traffic.floats).all()
    assert (first.traffic.ints == second.traffic.ints).all()


@given(st.lists(st.sampled_from((-1, 0, 1)), min_size=MANOEUVRE_PARTS, max_size=MANOEUVRE_PARTS))
def test_turns_can_be_written_as_a_number(turns):
    assert turns_of_code(code_of_turns(np.array(turns))).tolist() == turns
    assert 0 <= code_of_turns(np.array(turns)) < 3**MANOEUVRE_PARTS


def test_at_red_nobody_is_stuck_but_behind_who_is_stuck_they_are():
    state = run_with(ROAD, [("right", 100.0), ("right", 90.0), ("right", 40.0)], speed=0.0).state
    state.waiting[:] = Waiting.LIGHT
    for _ in range(400):
        count_standing(state, True, 0.1)
    assert not state.standing_time.any()
    state.waiting[:] = Waiting.NOTHING
    for _ in range(400):
        count_standing(state, True, 0.1)
    assert not len(stuck_rows(state))
    state.blocked_time[0] = 60.0
    assert stuck_rows(state).tolist() == [0, 1]
    count_standing(state, False, 0.1)
    assert not state.standing_time.any()


def box_at(x: float, y: float, yaw: float, length: float, width: float) -> Polygon:
    c, s = math.cos(yaw), math.sin(yaw)
    ends = [(a, b) for a, b in ((1, 1), (-1, 1), (-1, -1), (1, -1))]
    return Polygon([(x + c * a * length - s * b * width, y + s * a * length + c * b * width) for a, b in ends])


def way_out(gap: float):
    """The way of a car between two that stand `gap` away, onto a lane that leads back; its sizes, and what stands."""
    middle, length, width = MANOEUVRE_HORIZON, 2.3, 0.9
    body = np.zeros(5)
    body[BODY.front], body[BODY.rear], body[BODY.half_width], body[BODY.wheelbase] = 3.6, 1.0, width, 2.7
    body[BODY.curvature] = 1.0 / 5.5
    others = [(middle + 3.6 + gap + length, middle), (middle - 1.0 - gap - length, middle)]
    box = np.zeros((5, 2))
    box[BOX.x], box[BOX.y] = np.array(others).T
    box[BOX.half_length], box[BOX.half_width] = length, width
    along = np.arange(0.0, 2.0 * MANOEUVRE_HORIZON)
    goal = np.zeros((4, len(along)))
    goal[GOAL.x], goal[GOAL.y], goal[GOAL.yaw] = along, middle + 7.0, math.pi
    lanes = [np.vstack((along, np.full(len(along), middle + y), np.full(len(along), 5.75))) for y in (0.0, 3.5, 7.0)]
    found = find_manoeuvre(body, box, goal, np.ascontiguousarray(np.hstack(lanes)), 0.0)
    return found, body, [box_at(a, b, 0.0, length, width) for a, b in others]


@pytest.mark.parametrize("gap", [1.5, 2.0, 4.0])
def test_the_way_out_of_a_queue_touches_nothing(gap):
    (parts, lengths, turns), body, standing = way_out(gap)
    assert parts > 0
    x, y, yaw = MANOEUVRE_HORIZON, MANOEUVRE_HORIZON, 0.0
    for left, turn in zip(lengths[:parts], turns[:parts], strict=True):
        for _ in range(round(abs(left) / 0.05)):
            step, bend = math.copysign(0.05, left), turn * body[BODY.curvature]
            x, y = x + step * math.cos(yaw + 0.5 * bend * step), y + step * math.sin(yaw + 0.5 * bend * step)
            yaw += bend * step
            own = box_at(x + 1.3 * math.cos(yaw), y + 1.3 * math.sin(yaw), yaw, 2.3, 0.9)
            assert all(own.distance(other) > 0.02 for other in standing)
    assert y == pytest.approx(MANOEUVRE_HORIZON + 7.0, abs=0.4)
    assert math.cos(yaw) < -0.99


def test_between_two_that_stand_too_near_there_is_no_way():
    assert way_out(0.05)[0][0] == -1
