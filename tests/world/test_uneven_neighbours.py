"""An ego vehicle that cruises among NPC vehicles on a map whose lanes do not begin and end side by side."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.bridge.actor import ActorKind
from dorosim.bridge.actor_state import ActorReader
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.traffic.command import CreateNpc
from dorosim.world.vehicle.command import SelectMode, SetCruise
from dorosim.world.vehicle.mode import ControlMode, Gear
from tests.road.uneven_ring import MAPS, WIDTH
from tests.world.world import CAR, World, scene_of


@pytest.mark.parametrize("seconds", [60.0, pytest.param(120.0, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", ["shifted by 60 m", "half as long", "half overlap"])
def test_the_ego_overtakes_and_everybody_is_told_on_the_link_where_he_is(name, seconds):
    scene = scene_of(MAPS[name]())
    network = scene.network
    start = network.pose_at(network.link_index("R1"), 10.0)
    x, y, z = start.point[0].tolist()
    world = World(scene, [(CAR, (x, y, z), float(start.heading[0]))], seed=2)
    slow = world.do(
        *(
            CreateNpc(model=CAR, link=network.link_index(link), s=s, speed=5.0, desired_speed=5.0 + 0.5 * number)
            for number, (link, s) in enumerate((f"R{n}", s) for n in range(4) for s in (60.0, 130.0, 200.0, 270.0))
        )
    )
    world.do(SetCruise(actor=EGO, speed=14.0), SelectMode(actor=EGO, mode=ControlMode.CRUISE, gear=Gear.D))
    reader = ActorReader(scene)
    begun: set[tuple[int, int]] = set()
    last: dict[str, float] = {}

    def look(now: Snapshot) -> None:
        row = now.traffic.row_of(EGO)
        place = (float(now.vehicle.x[0]), float(now.vehicle.y[0]))
        if last:
            way = math.dist(place, (last["x"], last["y"]))
            assert way == pytest.approx(
                math.hypot(now.vehicle.velocity_x[0], now.vehicle.velocity_y[0]) * 0.01, abs=0.05
            )
        last["x"], last["y"] = place
        assert math.dist(place, (now.traffic.x[row], now.traffic.y[row])) < 1.0
        leaving = np.flatnonzero(now.traffic.change_from >= 0)
        begun.update((int(now.traffic.id[one]), int(now.traffic.link[one])) for one in leaving)
        if now.tick % 10:
            return
        for state in reader.states(now, {ActorKind.NPC}):
            there = network.point_at(state.link, state.s)[0]
            assert math.dist(there[:2], state.position[:2]) < 0.6 * WIDTH

    world.run(seconds, look)
    assert len(now := {actor for actor, _ in begun} & {*slow, EGO}) >= 3, now
    assert EGO in {actor for actor, _ in begun}
    assert not len(world.now.contact)
