"""What commands to lights and intersections do to the traffic before them."""

from __future__ import annotations

import functools
import math

import numpy as np
import pytest

from dorosim.road.signal import Lamp
from dorosim.world.scene import Scene
from dorosim.world.signal.command import SetIntersection, SetLight, SetSchedule, TimedColours
from dorosim.world.signal.permission import Permission
from dorosim.world.signal.update import NO_LAMP
from dorosim.world.step import step
from dorosim.world.traffic.command import CreateNpc
from tests.world.world import CAR, World, town_scene

RED, GREEN = int(Lamp.RED), int(Lamp.GREEN)
ALL_GO = GREEN
"""Of a head without an arrow."""


@functools.cache
def crossing() -> tuple[Scene, int, int, int]:
    """The town; a link that ends at a stop line, the way straight on over the junction, and a head before it."""
    scene = town_scene(20.0)
    network, links = scene.network, scene.signal_plan.links
    for link in links.governed.tolist():
        before = [k for k in links.approach.tolist() if link in network.successors.of(k).tolist()]
        straight = network.link_movements[link] == "straight"
        if straight and before and network.link_length[before[0]] > 100.0:
            heads = [k for k in network.signals.lights_of_link.of(link).tolist() if _is_car(scene, k)]
            return scene, before[0], link, heads[0]
    raise AssertionError("the town has no such crossing")


def _is_car(scene: Scene, light: int) -> bool:
    return scene.network.signals.lights[light].kind == "car"


def before_the_light(lamps: int, **how: bool) -> tuple[World, int, int]:
    """A car 80 m before a light that is set; the world, the way over the junction, and the head."""
    scene, before, over, head = crossing()
    world = World(scene, [(CAR, (-500.0, -500.0, 0.0), 0.0)])
    s = float(scene.network.link_length[before]) - 85.0
    world.do(
        SetLight(head, lamps, siblings=True, **how),
        CreateNpc(model=CAR, link=before, s=s, speed=8.0, way=(before, over), lane_change=False),
    )
    return world, over, head


def has_entered(world: World, over: int) -> bool:
    return world.now.traffic.link[0] != crossing()[1] or over in world.now.traffic.previous.tolist()


def test_a_light_that_is_red_for_good_holds_a_car_and_green_lets_it_go():
    world, over, head = before_the_light(RED)
    world.run(150.0)
    assert not has_entered(world, over), "whatever the programme does meanwhile"
    assert world.now.traffic.speed[0] < 0.05
    world.do(SetLight(head, GREEN, siblings=True))
    assert world.now.signal.link.entry[over] in {Permission.GO, Permission.YIELD}
    world.run(10.0)
    assert has_entered(world, over)


def test_a_car_does_not_slow_down_before_a_light_that_is_green_for_good():
    world, over, _ = before_the_light(ALL_GO)
    slowest = [8.0]

    def look(now) -> None:
        slowest[0] = min(slowest[0], float(now.traffic.speed[0]))

    for _ in range(20):
        if has_entered(world, over):
            break
        world.run(1.0, look)
    assert has_entered(world, over)
    assert slowest[0] > 6.0


def test_a_light_that_is_given_back_follows_its_programme_again():
    world, over, head = before_the_light(RED)
    world.run(30.0)
    world.do(SetLight(head, NO_LAMP, siblings=True))
    world.run(150.0)
    assert has_entered(world, over)


def test_a_light_that_is_red_for_once_holds_until_the_next_state():
    world, over, head = before_the_light(RED, once=True)
    row = next(k for k, lights in enumerate(_lights_of_controllers(world.scene)) if head in lights)
    left = int(world.now.signal.remaining[row]) * 1e-9
    assert world.now.signal.light.once[head] == 1
    world.run(left - 0.1)
    assert not has_entered(world, over)
    world.run(0.2)
    assert world.now.signal.light.once[head] == 0
    world.run(150.0)
    assert has_entered(world, over)


def _lights_of_controllers(scene: Scene) -> list[set[int]]:
    return [{light for group in one.groups for light in group} for one in scene.network.signals.controllers]


def test_siblings_are_set_together_and_others_stay():
    scene, _, _, head = crossing()
    world = World(scene, [(CAR, (-500.0, -500.0, 0.0), 0.0)])
    before = world.now.signal.light.command.copy()
    world.do(SetLight(head, RED))
    assert np.flatnonzero(world.now.signal.light.command != before).tolist() == [head]
    world.do(SetLight(head, RED, siblings=True))
    assert np.flatnonzero(world.now.signal.light.command != before).tolist() == sorted(scene.signal_plan.siblings[head])


def test_the_state_of_an_intersection_and_its_schedule_hold_or_let_go_a_car():
    scene, _, over, head = crossing()
    world, over, _ = before_the_light(NO_LAMP)
    row = next(k for k, lights in enumerate(_lights_of_controllers(scene)) if head in lights)
    controller = scene.network.signals.controllers[row]
    group = next(number for number, lights in enumerate(controller.groups) if head in lights)
    red = tuple("R" for _ in controller.groups)
    go = tuple("G_with_GLeft" if number == group else "R" for number in range(len(controller.groups)))
    schedule = (TimedColours(60.0, red), TimedColours(60.0, go))
    world.do(SetSchedule(row, schedule, yellow=(0.0, 0.0)))
    world.run(30.0)
    assert (world.now.signal.state[row], has_entered(world, over)) == (0, False)
    world.do(SetIntersection(row, 1, elapsed=20.0))
    assert world.now.signal.state[row] == 1
    assert world.now.signal.remaining[row] == 40_000_000_000 - scene.tick
    world.run(15.0)
    assert has_entered(world, over)
    assert "states 0 to 1" in world.refuse(SetIntersection(row, 2))


@functools.cache
def left_turn() -> tuple[int, int, int, int]:
    """A left turn with an arrow, the lane before it, the way over that comes towards it, and the lane before that."""
    scene = town_scene(20.0)
    network, links = scene.network, scene.signal_plan.links
    before = {
        link: [k for k in links.approach.tolist() if link in network.successors.of(k).tolist()]
        for link in links.governed.tolist()
    }
    conflicts = scene.traffic_plan.conflicts
    for link in links.governed.tolist():
        for over in conflicts.other[conflicts.link == link].tolist():
            if network.link_movements[link] != "left" or network.link_movements[over] != "straight":
                continue
            ways = before[link] + before[over]
            if len(ways) == 2 and network.link_length[ways[0]] > 40.0 and network.link_length[ways[1]] > 120.0:
                mine, theirs = network.heading_at(ways, network.link_length[ways])
                if abs(math.remainder(mine - theirs, math.tau)) > 2.5:
                    return link, ways[0], over, ways[1]
    raise AssertionError("the town has no such left turn")


@pytest.mark.parametrize("once", [False, True])
def test_with_a_plain_green_on_command_left_turns_give_way_and_go(once):
    """Lamp 16 for a head with an arrow, which its programme shows in another state: nobody waits for that."""
    scene = town_scene(20.0)
    turn, lane, over, towards = left_turn()
    heads = [
        next(k for k in scene.network.signals.lights_of_link.of(link).tolist() if _is_car(scene, k))
        for link in (turn, over)
    ]
    world = World(scene, [(CAR, (-500.0, -500.0, 0.0), 0.0)])
    world.do(*(SetLight(head, GREEN, siblings=True, once=once) for head in heads))
    assert world.now.signal.link.entry[turn] == Permission.YIELD
    assert world.now.signal.link.entry[over] == Permission.GO
    if once:
        return
    length = scene.network.link_length
    turning = world.do(
        *(
            CreateNpc(model=CAR, link=lane, s=float(length[lane]) - back, way=(lane, turn), lane_change=False)
            for back in (10.0, 20.0, 30.0)
        )
    )
    first, passed = math.inf, set()
    for second in range(120):
        for back in (100.0, 70.0, 40.0) if second == 0 else (100.0,):
            # nobody is put where he could not brake for who stands before him
            there = world.now.traffic.s[world.now.traffic.link == towards] - float(length[towards]) + back
            if ((there > -20.0) & (there < 25.0)).any():
                continue
            stream = CreateNpc(
                model=CAR,
                link=towards,
                s=float(length[towards]) - back,
                speed=8.0,
                way=(towards, over),
                lane_change=False,
            )
            world.now = step(scene, world.now, (stream,), world.noise)
        world.run(1.0)
        traffic = world.now.traffic
        assert not len(world.now.contact), world.now.contact
        passed |= set(traffic.id[traffic.link == over].tolist())
        if math.isinf(first) and (traffic.link[np.isin(traffic.id, turning)] != lane).any():
            first = world.now.time * 1e-9
    assert first < 120.0
    assert len(passed) > 20, "there was oncoming traffic all the time"


def test_in_a_programme_a_left_turn_still_waits_for_its_arrow():
    scene = town_scene(20.0)
    turn, _, over, _ = left_turn()
    world = World(scene, [(CAR, (-500.0, -500.0, 0.0), 0.0)])
    seen = set()

    def look(now) -> None:
        if now.signal.link.entry[over] == Permission.GO:
            seen.add(int(now.signal.link.entry[turn]))

    world.run(150.0, look)
    assert seen <= {Permission.STOP, Permission.GO, Permission.CLEAR}
    assert Permission.STOP in seen
