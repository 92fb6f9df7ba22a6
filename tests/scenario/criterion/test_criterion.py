"""Criteria, on moments that are written here."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.road.opendrive.reader import read_opendrive
from dorosim.road.opendrive.road_course_network import CourseNetwork
from dorosim.scenario.criterion.ahead import is_ahead
from dorosim.scenario.criterion.criterion import START, Criterion, CriterionState
from dorosim.scenario.criterion.encroachment import MinPostEncroachmentTime
from dorosim.scenario.criterion.event import Arrival, NoCollision, NoLaneLeft
from dorosim.scenario.criterion.judge import Judge
from dorosim.scenario.criterion.limit import (
    MaxJerk,
    max_deceleration,
    max_deceleration_to_avoid_crash,
    max_required_deceleration,
    min_distance,
    min_time_headway,
    min_time_to_collision,
    min_time_to_collision_accelerated,
)
from dorosim.scenario.criterion.moment import Body, RedLine, RedWay, RunMoment, Touch
from dorosim.scenario.criterion.red_light import NoRedLight
from dorosim.scenario.criterion.sweep import time_to_overlap
from dorosim.scenario.openscenario.engine.program import BodyBox

CAR = BodyBox(x=1.5, z=0.75, length=5.0, width=2.0, height=1.5)
PERSON = BodyBox(z=0.9, length=0.5, width=0.6, height=1.8)


def car(x: float, speed: float = 0.0, *, y: float = 0.0, heading: float = 0.0, **more) -> Body:
    more = {"name": "car", "number": 1, "box": CAR, "z": 0.0, **more}
    return Body(
        x=x,
        y=y,
        heading=heading,
        velocity_x=speed * math.cos(heading),
        velocity_y=speed * math.sin(heading),
        **more,
    )


def ego(x: float = 0.0, speed: float = 10.0, **more) -> Body:
    return car(x, speed, name="Ego", number=0, **more)


def at(seconds: float, own: Body | None, *others: Body, **more) -> RunMoment:
    return RunMoment(time=round(seconds * 1e9), ego=own, others=others, **more)


def after(criterion: Criterion, *moments: RunMoment) -> CriterionState:
    state = START
    for one in moments:
        state = criterion.look(state, one)
    return criterion.at_end(state, moments[-1])


def said(criterion: Criterion, *moments: RunMoment) -> str:
    (result,) = Judge([criterion], "Ego").results([after(criterion, *moments)])
    return result.said


class TestNoCollision:
    def test_boxes_that_overlap(self):
        state = after(NoCollision(), at(1.0, ego(0.0)), at(2.0, ego(10.0), car(14.9, 4.0)))
        assert (state.failed, state.other, state.time, state.value) == (True, "car", 2_000_000_000, 6.0)

    def test_boxes_that_do_not(self):
        assert not after(NoCollision(), at(0.0, ego(), car(5.1), car(0.0, y=2.1))).failed

    def test_a_bridge_above_is_none(self):
        assert not after(NoCollision(), at(0.0, ego(), car(0.0, z=5.0))).failed
        assert after(NoCollision(), at(0.0, ego(), car(0.0, z=1.0))).failed

    def test_what_the_world_tells(self):
        state = after(NoCollision(), at(0.5, ego(), touched=(Touch("a pole", 7.0),)), at(1.0, ego()))
        assert (state.failed, state.other, state.time, state.value) == (True, "a pole", 500_000_000, 7.0)

    def test_an_ego_that_is_not_there_touches_nobody(self):
        assert not after(NoCollision(), at(0.0, None, car(0.0))).failed

    def test_it_is_said_who_when_and_where(self):
        line = said(NoCollision(), at(2.0, ego(10.0, y=3.0), car(14.0, 4.0, y=3.0)))
        assert line == "no collision: collision at 6.00 m/s, Ego and car, 2.00 s at x 10.00, y 3.00"


class TestLimits:
    @pytest.mark.parametrize(
        ("criterion", "value"),
        [
            # 25 m between the boxes, 4 m/s faster
            (min_time_to_collision, 6.25),
            (min_time_headway, 2.5),
            (min_distance, 25.0),
        ],
    )
    def test_what_must_not_be_less(self, criterion, value):
        moment = at(1.0, ego(), car(30.0, 6.0))
        assert not after(criterion(value - 0.01), moment).failed
        state = after(criterion(value + 0.01), moment)
        assert state.failed
        assert state.value == pytest.approx(value)
        assert state.other == "car"

    @pytest.mark.parametrize(
        ("criterion", "value"),
        [
            (max_deceleration_to_avoid_crash, 16.0 / 50.0),
            (max_required_deceleration, 16.0 / 50.0 + 1.5),
            (max_deceleration, 2.5),
        ],
    )
    def test_what_must_not_be_more(self, criterion, value):
        moment = at(1.0, ego(acceleration=-2.5), car(30.0, 6.0, acceleration=-1.5))
        assert not after(criterion(value + 0.01), moment).failed
        state = after(criterion(value - 0.01), moment)
        assert state.failed
        assert state.value == pytest.approx(value)

    def test_the_worst_is_kept(self):
        criterion = min_distance(1.0)
        moments = [at(t, ego(), car(5.0 + gap, number=2)) for t, gap in ((0.0, 9.0), (0.1, 3.0), (0.2, 7.0))]
        state = after(criterion, *moments)
        assert (state.failed, state.time) == (False, 100_000_000)
        assert state.value == pytest.approx(3.0)
        assert said(criterion, *moments) == "distance: 3 m, limit 1 m, Ego and car, 0.10 s at x 0.00, y 0.00"

    def test_a_violation_stays(self):
        criterion = min_distance(1.0)
        assert after(criterion, at(0.0, ego(), car(5.5)), at(0.1, ego(), car(50.0))).failed

    def test_nothing_to_measure(self):
        assert said(min_time_headway(2.0), at(0.0, ego())) == "time headway: nothing to measure, limit 2 s"
        assert not after(min_time_to_collision(5.0), at(0.0, ego(), car(30.0, 20.0))).failed

    def test_one_that_stands_is_not_decelerated(self):
        assert not after(max_deceleration(1.0), at(0.0, ego(speed=0.0, acceleration=-9.0))).failed

    def test_in_reverse_it_is_the_other_way_round(self):
        assert after(max_deceleration(1.0), at(0.0, ego(speed=-5.0, acceleration=2.0))).failed
        assert not after(max_deceleration(1.0), at(0.0, ego(speed=-5.0, acceleration=-2.0))).failed

    def test_with_accelerations(self):
        state = after(min_time_to_collision_accelerated(9.0), at(0.0, ego(acceleration=1.0), car(30.0, 10.0)))
        assert state.value == pytest.approx(math.sqrt(50.0))

    def test_one_who_crosses_has_a_time_to_collision_but_is_not_ahead(self):
        person = Body(name="person", number=3, x=23.5, y=-6.0, velocity_y=3.0, heading=math.pi / 2.0, box=PERSON)
        # 20 m before the front at 10 m/s; it is in the way of the 2 m wide car from (6 - 1 - 0.25) / 3 s on
        assert time_to_overlap(ego(), person) == pytest.approx((23.5 - 0.3 - 4.0) / 10.0)
        assert is_ahead(ego(), person) is None
        slow = Body(name="person", number=3, x=23.5, y=-6.0, velocity_y=1.0, heading=math.pi / 2.0, box=PERSON)
        assert time_to_overlap(ego(), slow) == math.inf

    def test_who_is_behind_or_beside_is_not_ahead(self):
        assert is_ahead(ego(), car(-6.0, 20.0)) is None
        assert is_ahead(ego(), car(20.0, y=2.0)) is None
        assert is_ahead(ego(), car(20.0, z=6.0)) is None
        assert is_ahead(ego(), car(600.0)) is None


class TestJerk:
    def test_of_a_step_of_the_acceleration(self):
        moments = [at(t / 100.0, ego(acceleration=0.0 if t < 20 else -4.0)) for t in range(40)]
        state = after(MaxJerk(39.0), *moments)
        # 4 m/s2 in a tenth of a second
        assert (state.failed, state.time) == (True, 200_000_000)
        assert state.value == pytest.approx(40.0)
        assert not after(MaxJerk(41.0), *moments).failed

    def test_there_is_none_before_there_is_a_tenth_of_a_second(self):
        state = after(MaxJerk(1.0), at(0.0, ego(acceleration=0.0)), at(0.05, ego(acceleration=9.0)))
        assert math.isnan(state.value)

    def test_of_ticks_that_are_longer(self):
        state = after(MaxJerk(1.0), at(0.0, ego(acceleration=0.0)), at(0.2, ego(acceleration=9.0)))
        assert state.value == pytest.approx(45.0)


class TestEncroachment:
    def moments(self, wait: float) -> list[RunMoment]:
        """A person has left the way of the ego for a time when that comes."""
        found = []
        # the ego's front is at x = 4 first, and comes to the person's right side at 19.7
        arrives = (19.7 - 4.0) / 10.0
        for tick in range(300):
            t = tick * 0.01
            y = 1.25 + 2.0 * (t - arrives + wait)
            person = Body(name="p", number=7, x=20.0, y=y, velocity_y=2.0, heading=math.pi / 2.0, box=PERSON)
            found.append(at(t, ego(10.0 * t), person))
        return found

    def test_it_is_the_time_between_the_two(self):
        state = after(MinPostEncroachmentTime(1.0), *self.moments(0.8))
        assert (state.failed, state.other) == (True, "p")
        assert state.value == pytest.approx(0.8, abs=0.021)

    def test_a_longer_one_is_not_measured(self):
        state = after(MinPostEncroachmentTime(0.5), *self.moments(0.8))
        assert not state.failed
        assert math.isnan(state.value)

    def test_ways_that_do_not_cross_have_none(self):
        moments = [at(t * 0.1, ego(t * 1.0), car(8.0 + t * 1.0, 10.0)) for t in range(30)]
        assert math.isnan(after(MinPostEncroachmentTime(3.0), *moments).value)


class TestArrival:
    def test_in_time(self):
        criterion = Arrival(50.0, 0.0, limit=5.0)
        moments = [at(t, ego(10.0 * t)) for t in range(9)]
        assert not after(criterion, *moments).failed
        assert said(criterion, *moments).startswith("arrival: after 5.00 s, limit 5 s, Ego, 5.00 s")

    def test_too_late(self):
        state = after(Arrival(50.0, 0.0, limit=4.0), *(at(t, ego(10.0 * t)) for t in range(9)))
        assert (state.failed, state.time, state.value) == (True, 5_000_000_000, 0.0)

    def test_the_run_ends_before(self):
        moments = [at(t, ego(10.0 * t)) for t in range(3)]
        assert after(Arrival(50.0, 0.0), *moments).failed
        assert said(Arrival(50.0, 0.0), *moments).startswith("arrival: not there, 30.0 m away, Ego, 2.00 s")

    def test_one_who_was_never_there(self):
        assert after(Arrival(0.0, 0.0), at(0.0, None)).failed


class TestNoRedLight:
    """A stop line across the lane of the ego at x = 10, whose front is 4 m before its origin."""

    LINE = RedLine("light 7", 10.0, 0.0, 0.0, 1.75)

    def passes(self, *places: float, line: RedLine = LINE, red: bool = True, **more) -> CriterionState:
        lines = (line,) if red else ()
        return after(NoRedLight(), *(at(t * 0.1, ego(x, **more), red_lines=lines) for t, x in enumerate(places)))

    def test_its_front_comes_over_it(self):
        state = self.passes(4.0, 5.0, 6.0, 6.5, 7.5)
        assert (state.failed, state.other, state.value, state.x) == (True, "light 7", 10.0, 6.5)

    def test_standing_at_it_or_having_passed_it_is_none(self):
        assert not self.passes(4.0, 5.9, 6.0, 6.0).failed
        assert not self.passes(6.1, 7.0, 8.0).failed

    def test_one_that_is_not_red(self):
        assert not self.passes(5.0, 7.0, red=False).failed

    def test_that_of_another_lane_or_direction(self):
        assert not self.passes(5.0, 7.0, line=self.LINE._replace(y=3.5)).failed
        assert not self.passes(5.0, 7.0, line=self.LINE._replace(heading=math.pi)).failed
        assert not self.passes(5.0, 7.0, line=self.LINE._replace(heading=math.pi / 2.0)).failed

    def test_one_who_is_put_elsewhere(self):
        assert not self.passes(5.0, 40.0).failed

    def test_one_who_goes_back(self):
        assert not self.passes(7.0, 5.0, 5.5).failed


class TestLightForOneWay:
    """Straight on from x = 10, or in a bend to the left with a radius of 12 m; the front is 4 m before the origin."""

    STRAIGHT = np.array([[10.0 + s, 0.0, 0.0] for s in range(0, 31, 2)])
    LEFT = np.array([[10.0 + 12.0 * math.sin(a), 12.0 - 12.0 * math.cos(a), 0.0] for a in np.linspace(0.0, 1.57, 9)])

    def line(self, *, straight: bool, left: bool) -> RedLine:
        return RedLine("light 7", 10.0, 0.0, 0.0, 1.75, (RedWay(straight, self.STRAIGHT), RedWay(left, self.LEFT)))

    def drives(
        self, way: np.ndarray, line: RedLine, metres: float, then: RedLine | None = None
    ) -> list[CriterionState]:
        """The state after each half metre along a way, with its front on the way; the light changes on the way."""
        length = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(way[:, :2], axis=0).T))))
        states = [START]
        for k in range(round(metres / 0.5)):
            s = k * 0.5 - 4.0
            x, y = (10.0 + s, 0.0) if s < 0.0 else (float(np.interp(s, length, way[:, c])) for c in (0, 1))
            heading = 0.0 if s < 0.0 or way is self.STRAIGHT else s / 12.0
            own = ego(x - 4.0 * math.cos(heading), 5.0, y=y - 4.0 * math.sin(heading), heading=heading)
            red = line if s <= 0.5 else then
            states.append(NoRedLight().look(states[-1], at(k * 0.1, own, red_lines=(red,) if red else ())))
        return states

    @pytest.mark.parametrize("way", ["STRAIGHT", "LEFT"])
    @pytest.mark.parametrize("red", ["STRAIGHT", "LEFT"])
    def test_only_who_takes_the_red_way_runs_it(self, way, red):
        line = self.line(straight=red == "STRAIGHT", left=red == "LEFT")
        last = self.drives(getattr(self, way), line, 20.0)[-1]
        assert last.failed == (way == red)
        if last.failed:
            assert (last.other, last.value, last.time) == ("light 7", 5.0, round(0.9e9)), "of when the line was passed"
        else:
            assert (last.other, math.isnan(last.value), len(last.memory)) == ("", True, 1)

    def test_it_is_seen_soon(self):
        states = self.drives(self.LEFT, self.line(straight=False, left=True), 20.0)
        first = next(k for k, one in enumerate(states) if one.failed)
        assert 4.0 + 4.0 < first * 0.5 < 4.0 + 9.0, "metres from the start: the ways are 1.5 m apart after 6 m"

    def test_the_light_counts_that_was_there_when_the_line_was_passed(self):
        red, green = self.line(straight=True, left=True), self.line(straight=True, left=False)
        assert not self.drives(self.LEFT, green, 20.0, then=red)[-1].failed
        assert self.drives(self.STRAIGHT, green, 20.0)[-1].failed

    def test_at_the_end_the_nearest_way_counts(self):
        states = self.drives(self.STRAIGHT, self.line(straight=True, left=False), 6.0)
        assert not states[-1].failed
        own = ego(10.0 + 1.5 - 4.0, 5.0)
        assert NoRedLight().at_end(states[-1], at(1.2, own)).failed
        assert not NoRedLight().at_end(states[-1], at(1.2, ego(8.0, 5.0, y=2.0))).failed

    def test_who_is_put_elsewhere_has_taken_no_way(self):
        state = self.drives(self.STRAIGHT, self.line(straight=True, left=False), 6.0)[-1]
        put = NoRedLight().look(state, at(2.0, ego(500.0, 5.0)))
        assert (put.failed, len(put.memory)) == (False, 1)


ROAD = """<OpenDRIVE><header revMajor="1" revMinor="7"/>
<road id="1" length="200" junction="-1"><planView>
<geometry s="0" x="0" y="0" hdg="0" length="200">{line}</geometry></planView>
<lanes><laneSection s="0"><center><lane id="0" type="none"/></center><right>
<lane id="-1" type="driving"><width sOffset="0" a="3.5" b="0" c="0" d="0"/></lane>
<lane id="-2" type="driving"><width sOffset="0" a="3.5" b="0" c="0" d="0"/></lane>
</right></laneSection></lanes></road></OpenDRIVE>"""


def roads(line: str = "<line/>") -> CourseNetwork:
    return CourseNetwork(read_opendrive("road.xodr", ROAD.format(line=line).encode()))


class TestNoLaneLeft:
    def look(self, t: float, lane: int, line: str = "<line/>", turn: float = 0.0) -> CriterionState:
        network = roads(line)
        pose = network.roads[0].pose(50.0, t)
        place = {"road": 0, "lane": lane, "s": 50.0, "t": t, "turn": turn}
        own = car(pose.x, 5.0, name="Ego", number=0, y=pose.y, heading=pose.heading + turn, **place)
        return after(NoLaneLeft(), at(0.0, own, roads=network))

    @pytest.mark.parametrize(("t", "over"), [(-1.75, 0.0), (-1.01, 0.0), (-0.8, 0.2), (-2.6, 0.1)])
    def test_how_far_it_is_over_the_border(self, t, over):
        state = self.look(t, -1)
        assert state.failed == (over > 0.0)
        assert state.value == pytest.approx(over, abs=1e-9)

    def test_in_a_bend_the_middle_of_the_lane_counts_where_the_corner_is(self):
        # front corners are 4 m before the origin, which is 1.2 m aside in the frame of the body at a radius of 6.75 m
        assert not self.look(-1.75, -1, '<arc curvature="0.02"/>').failed
        state = self.look(-1.75, -1, '<arc curvature="0.2"/>')
        assert state.failed
        radius = 5.0 + 1.75
        assert state.value == pytest.approx(math.hypot(4.0, radius + 1.0) - radius - 1.75, abs=1e-6)

    def test_turned_on_its_lane(self):
        assert self.look(-1.75, -1, turn=0.4).failed

    def test_without_roads_nothing_is_measured(self):
        assert math.isnan(after(NoLaneLeft(), at(0.0, ego())).value)


def test_along_a_bend_it_is_the_road_that_leads_to_what_is_ahead():
    network = roads('<arc curvature="0.02"/>')

    def on_road(s: float, speed: float, number: int) -> Body:
        pose = network.roads[0].pose(s, -1.75)
        place = {"road": 0, "lane": -1, "s": s, "t": -1.75, "turn": 0.0}
        return car(pose.x, speed, name=f"car {number}", number=number, y=pose.y, heading=pose.heading, **place)

    first, second = on_road(10.0, 8.0, 0), on_road(70.0, 3.0, 1)
    found = is_ahead(first, second)
    assert found is not None
    assert (found.gap, found.speed, found.closing) == (pytest.approx(55.0), pytest.approx(8.0), pytest.approx(5.0))
    assert is_ahead(second, first) is None


def test_who_has_the_states_can_go_on():
    """What a criterion knows is in its state: a judgement that goes on in another judge is the same."""
    criteria = [MaxJerk(1.0), min_distance(1.0), MinPostEncroachmentTime(1.0), Arrival(5.0, 0.0), NoCollision()]
    moments = [at(t * 0.05, ego(t * 0.5, acceleration=float(t)), car(20.0 + t)) for t in range(20)]
    whole, part = Judge(criteria, "Ego"), Judge(criteria, "Ego")
    states, begun = whole.start(), part.start()
    for one in moments:
        states = whole.look(states, one)
    for one in moments[:11]:
        begun = part.look(begun, one)
    other = Judge(
        [MaxJerk(1.0), min_distance(1.0), MinPostEncroachmentTime(1.0), Arrival(5.0, 0.0), NoCollision()], "Ego"
    )
    for one in moments[11:]:
        begun = other.look(begun, one)
    assert [one.said for one in whole.results(states)] == [one.said for one in other.results(begun)]
    for ours, theirs in zip(states, begun, strict=True):
        assert ours.memory.tolist() == theirs.memory.tolist()
        with pytest.raises(ValueError, match="read-only"):
            ours.memory[:] = 0.0
