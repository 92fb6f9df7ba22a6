"""Traffic goes on around a parked ego vehicle and wrecks in busy lanes, on whole maps, by whole steps of the world."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from dorosim.app.run.build import build
from dorosim.app.setting.settings import Settings
from dorosim.world.scene import Scene
from dorosim.world.snapshot import EGO, STATE, Snapshot
from dorosim.world.traffic.command import CreateNpc
from dorosim.world.traffic.placement import traffic_places
from dorosim.world.traffic.road import BESIDE, IN_JUNCTION, LINK
from dorosim.world.traffic.state import Presence, Waiting
from dorosim.world.vehicle.command import PlaceVehicle
from dorosim.world.vehicle.mode import Gear
from tests.road.real_map import SUBURB, TRACK, real_folder
from tests.world.traffic.rig import overlaps
from tests.world.world import CAR, World

LONGEST = 90.0
"""Nobody stands longer than this except at red, or in a queue behind red [s]."""

WRECKS = 3
QUEUE_GAP = 25.0
"""A vehicle that stands with its origin so near behind that of another that stands is in its queue [m]."""


@cache
def scene_on(map_name: str) -> Scene:
    """The built-in town or a real map, with all that stands beside its roads."""
    place = map_name if map_name == "town" else str(real_folder(map_name))
    return build(Settings(map=place, tick_ms=50.0), Path()).scene


def is_near_junction(world: World, link: int, s: float) -> bool:
    """Whether a place is within 12 m of an end of its link at which lanes cross, part or meet."""
    road, ints = world.scene.traffic_plan.road, world.scene.traffic_plan.road.link_ints
    ends = []
    for column, way in ((LINK.predecessor_first, s), (LINK.successor_first, road.link[link, LINK.length] - s)):
        others = road.connection[ints[link, column] : ints[link + 1, column]]
        ends.append(way < 12.0 and (len(others) != 1 or ints[others[0], LINK.conflicting] == 1))
    return any(ends)


def busy_rows(world: World, taken: list[np.ndarray]) -> np.ndarray:
    """Rows of vehicles that drive in the middle of a lane, far from junctions, others and places that are taken."""
    traffic, road = world.now.traffic, world.scene.traffic_plan.road
    place = np.column_stack((traffic.x, traffic.y))
    gap = np.hypot(*(place[:, None, :] - place[None, :, :]).transpose(2, 0, 1))
    np.fill_diagonal(gap, np.inf)
    good = (traffic.present == Presence.ON_LANE) & (traffic.speed > 2.0) & (traffic.change_from < 0)
    for row in np.flatnonzero(good):
        first, last = road.station_first[traffic.link[row]], road.station_first[traffic.link[row] + 1]
        good[row] = (road.beside[2 * first : 2 * last, BESIDE.link] != IN_JUNCTION).all()
        good[row] &= not is_near_junction(world, int(traffic.link[row]), float(traffic.s[row]))
    good &= gap.min(axis=1) > 15.0
    for other in taken:
        good &= np.hypot(*(place - other).T) > 60.0
    return np.flatnonzero(good)


def places_to_block(world: World, rng: np.random.Generator) -> list[int]:
    """Rows of vehicles far from one another that drive in busy lanes; time goes by until there are enough."""
    for _ in range(120):
        taken: list[np.ndarray] = []
        found: list[int] = []
        while len(found) <= WRECKS and len(rows := busy_rows(world, taken)):
            found.append(int(rng.choice(rows)))
            taken.append(np.array((world.now.traffic.x[found[-1]], world.now.traffic.y[found[-1]])))
        if len(found) > WRECKS:
            return found
        world.run(1.0)
    raise LookupError("there are not enough busy lanes to block")


def block_lanes(world: World, seed: int) -> None:
    """Leave three vehicles across their lanes for good, and the ego vehicle in the place of a fourth."""
    rng = np.random.default_rng(seed)
    *wrecks, last = places_to_block(world, rng)
    leaves = {path: values.copy() for path, values in STATE.leaves(world.now).items()}
    x, y, z, yaw = (float(leaves[f"traffic.{column}"][last]) for column in ("x", "y", "z", "yaw"))
    for row in (*wrecks, last):
        leaves["traffic.speed"][row] = leaves["traffic.acceleration"][row] = leaves["traffic.patience"][row] = 0.0
    leaves["traffic.present"][wrecks], leaves["traffic.present"][last] = Presence.OFF_LANE, Presence.OFF_MAP
    leaves["traffic.yaw"][wrecks] += rng.choice((-0.9, 0.9), WRECKS)
    world.now = STATE.build(leaves)
    world.do(PlaceVehicle(actor=EGO, position=(x, y, z), rotation=(0.0, 0.0, yaw), speed=0.0, gear=Gear.P))


def behind_red(now: Snapshot, red: np.ndarray, stands: np.ndarray) -> np.ndarray:
    """Which vehicles stand at red or in a queue behind one that does."""
    traffic = now.traffic
    dx, dy = (value[None, :] - value[:, None] for value in (traffic.x, traffic.y))
    c, s = np.cos(traffic.yaw)[:, None], np.sin(traffic.yaw)[:, None]
    along, aside = c * dx + s * dy, np.abs(c * dy - s * dx)
    follows = (along > 0.0) & (along < QUEUE_GAP) & (aside < 3.0) & stands[None, :] & stands[:, None]
    found = red.copy()
    for _ in range(len(found)):
        more = found | (follows & found[None, :]).any(axis=1)
        if (more == found).all():
            break
        found = more
    return found


def npcs_on(scene: Scene, count: int, seed: int) -> list[CreateNpc]:
    """Cars and buses at random places of all lanes, at rest; they look for room ahead where a place is taken."""
    link, front = traffic_places(scene.traffic_plan, 12.0)
    rng = np.random.default_rng(seed)
    places = rng.choice(len(link), count, replace=False)
    models = rng.choice((CAR, "2015_Kia_K5", "2018_Hyundai_ElecCity"), count, p=(0.5, 0.4, 0.1))
    return [
        CreateNpc(model=str(model), link=int(link[at]), s=max(float(front[at]) - 9.0, 0.0), move_on=True)
        for at, model in zip(places, models, strict=True)
    ]


class Watch:
    """How long each vehicle stands, and what touches what."""

    def __init__(self, world: World) -> None:
        count = len(world.now.traffic)
        self.still, self.longest = np.zeros(count), np.zeros(count)
        self.at_red = np.zeros(count, bool)
        self.contacts: set[str] = set()
        self.late: dict[int, str] = {}
        self._wrecks = set(world.now.traffic.id[world.now.traffic.present == Presence.OFF_LANE].tolist())
        self._world, self._dt, self._tick = world, world.scene.tick * 1e-9, 0

    def look(self, now: Snapshot) -> None:
        """See a snapshot."""
        traffic, ids = now.traffic, self._world.scene.network.link_ids
        stands = (traffic.present == Presence.ON_LANE) & (traffic.speed < 0.1)
        self.at_red = stands & (self.at_red | (traffic.waiting == Waiting.LIGHT))
        excused = behind_red(now, self.at_red, stands)
        self.still = np.where(stands & ~excused, self.still + self._dt, np.where(stands, self.still, 0.0))
        for row in np.flatnonzero(self.still > LONGEST):
            self.late.setdefault(
                int(traffic.id[row]),
                f"{traffic.id[row]} on {ids[traffic.link[row]]} at {traffic.s[row]:.1f} of "
                f"{self._world.scene.network.link_length[traffic.link[row]]:.1f} m, {now.time * 1e-9:.0f} s, waiting "
                f"{traffic.waiting[row]}, blocked {traffic.blocked_time[row]:.0f} s, L {traffic.length[row]:.1f}, "
                f"({traffic.x[row]:.1f}, {traffic.y[row]:.1f})",
            )
        contact = now.contact
        for row in range(len(contact)):
            first, second = int(contact.first_id[row]), int(contact.second_id[row])
            pair = {first, second}
            wreck_touches_scenery = pair & self._wrecks and min(pair) < 0
            if (first > 0 or second > 0) and not wreck_touches_scenery:
                self.contacts.add(f"{first} and {second}")
        self._tick += 1
        if self._tick % 20 == 0:
            self.contacts |= {f"rows {a} and {b}" for a, b in overlaps(traffic)}


def watch(map_name: str, count: int, seconds: float, seed: int) -> None:
    """Let vehicles drive, block four lanes, and look at what must never happen."""
    scene = scene_on(map_name)
    pose = scene.network.pose_at(int(np.flatnonzero(scene.network.link_drivable)[0]), 5.0)
    x, y, z = pose.point[0].tolist()
    world = World(scene, [(CAR, (x + 3000.0, y + 3000.0, z), 0.0)], seed)
    world.do(*npcs_on(scene, count, seed))
    world.run(20.0)
    block_lanes(world, seed)
    seen = Watch(world)
    world.run(seconds, seen.look)
    assert not seen.contacts
    assert not seen.late, "\n".join(seen.late.values())


def test_a_minute_of_the_town_with_the_ego_and_three_wrecks_in_busy_lanes():
    watch("town", 100, 100.0, seed=1)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1, 7))
def test_ten_minutes_of_the_town(seed):
    watch("town", 100, 600.0, seed)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1, 3))
@pytest.mark.parametrize("map_name", [TRACK, SUBURB])
def test_ten_minutes_of_a_real_map(map_name, seed):
    watch(map_name, 40, 600.0, seed)
