"""NPC vehicles touch nothing that stands beside the roads, on whole maps, by whole steps of the world."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.road.scenery.table import ObjectKind
from dorosim.world.collision.body import BodyKind
from dorosim.world.snapshot import Snapshot
from dorosim.world.traffic.command import CreateNpc
from dorosim.world.traffic.placement import traffic_places
from tests.road.real_map import SUBURB, TRACK
from tests.world.whole_map import whole_map
from tests.world.world import CAR, World


def touched(map_name: str, count: int, seconds: float, seed: int) -> list[str]:
    """What NPC vehicles touch of the scenery, in words, while they drive for a time; the ego vehicle is far away."""
    scene = whole_map(map_name, 50.0)
    pose = scene.network.pose_at(int(np.flatnonzero(scene.network.link_drivable)[0]), 5.0)
    x, y, z = pose.point[0].tolist()
    world = World(scene, [(CAR, (x + 3000.0, y + 3000.0, z), 0.0)], seed)
    link, front = traffic_places(scene.traffic_plan, 12.0)
    chosen = np.random.default_rng(seed).choice(len(link), count, replace=False)
    starts = [(int(link[k]), max(float(front[k]) - 9.0, 0.0)) for k in chosen]
    models = (CAR, "2018_Hyundai_ElecCity")
    world.do(*(CreateNpc(model=models[k % 8 == 0], link=at, s=s, move_on=True) for k, (at, s) in enumerate(starts)))
    found: dict[tuple[int, int], str] = {}
    way = np.zeros(count)

    def look(now: Snapshot) -> None:
        contact = now.contact
        np.add(way, now.traffic.speed[:count] * scene.tick * 1e-9, out=way)
        for k in np.flatnonzero((contact.second_kind == BodyKind.SCENERY) & (contact.first_kind == BodyKind.NPC)):
            kind = ObjectKind(int(scene.scenery.objects.kind[-1 - int(contact.second_id[k])])).name.lower()
            where = f"({contact.x[k]:.1f}, {contact.y[k]:.1f}) after {now.time * 1e-9:.1f} s"
            found.setdefault(
                (int(contact.first_id[k]), int(contact.second_id[k])), f"NPC {contact.first_id[k]}: {kind} at {where}"
            )

    world.run(seconds, look)
    assert way.mean() > 2.0 * seconds, "they hardly drive"
    return list(found.values())


def test_npcs_of_the_town_touch_nothing_that_stands():
    assert not touched("town", 60, 20.0, 3)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("map_name", "count"), [("town", 100), (SUBURB, 40), (TRACK, 40)])
def test_npcs_touch_nothing_that_stands_for_ten_minutes(map_name, count, seed):
    assert not touched(map_name, count, 600.0, seed)
