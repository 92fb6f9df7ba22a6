"""Numbers on UDP: the smallest that nobody has had for 10 simulated seconds, in any order of coming and going."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest

from dorosim.bridge.udp.publish import Publisher
from dorosim.ground.noise import Noise
from dorosim.recording.format import EgoStart, RunHeader
from dorosim.recording.snapshot import snapshot_from_bytes, snapshot_to_bytes
from dorosim.wire.udp.revision import DEFAULT_REVISION
from dorosim.world.actor.command import CreateAs, RemoveActor
from dorosim.world.actor.number import COOLING, HELD, LAST_NUMBER, NumberTable, renumbered
from dorosim.world.environment.command import CreateMapObject, RemoveMapObject
from dorosim.world.obstacle.command import SpawnObstacle
from dorosim.world.physics import PHYSICS_VERSION
from dorosim.world.snapshot import EGO, LAST_ID, STATE_FIELDS
from dorosim.world.snapshot_validation import flaw_of
from dorosim.world.spawn.command import SetPedestrianSpawnPoints
from dorosim.world.spawn.mode import CharacterMode
from dorosim.world.spawn.point import PedestrianSpawnPoint
from dorosim.world.start import first_snapshot
from dorosim.world.step import step
from dorosim.world.traffic.command import PlaceNpcGhost
from tests import packet
from tests.world.world import CAR, street

AWAY = ("2016_Hyundai_Ioniq", (-400.0, 900.0, 0.0), 0.0)
TICK = 0.05


class Coming:
    """A world in which things come and go; `model` is what numbers they ought to have, by a rule of its own."""

    def __init__(self, seed: int = 0) -> None:
        self.scene, self.noise = street(TICK * 1e3), Noise(seed)
        self.first = self.now = first_snapshot(self.scene, [AWAY])
        self.numbers = {EGO: 1}
        self.freed: dict[int, int] = {}
        self.told: set[int] = set()
        self.most = EGO

    def tick(self, *commands, paused: bool = False):
        """One tick, after which everybody has the number that he ought to have."""
        self.now = now = step(self.scene, self.now, commands, self.noise, paused=paused)
        assert now.refusals == ()
        told = set(now.ghost.alias[now.ghost.is_told != 0].tolist())
        there = {*now.egos, *now.obstacles.state.id.tolist(), *now.ghost.id.tolist(), *now.spawn.ids()}
        there |= {*now.people.state.id.tolist(), *now.friction.objects.id.tolist()}
        for actor in sorted(set(self.numbers) - there):
            self.freed[self.numbers.pop(actor)] = now.time
        self.freed |= dict.fromkeys(self.told - told, now.time)
        self.told = told
        for actor in sorted(there - set(self.numbers)):
            assert actor > self.most, "no id comes again"
            self.most = actor
            number = actor if actor in told else 1
            while number != actor and (
                number in self.numbers.values()
                or number in told
                or (number in self.freed and now.time - self.freed[number] < COOLING)
            ):
                number += 1
            self.numbers[actor] = number
            self.freed.pop(number, None)
        assert {actor: now.number.number_of(actor) for actor in there} == self.numbers
        return now

    def let_pass(self, seconds: float) -> None:
        """Time goes by."""
        for _ in range(round(seconds / TICK)):
            self.now = step(self.scene, self.now, (), self.noise)


@pytest.fixture
def world() -> Coming:
    return Coming()


def cone(x: float = 0.0) -> SpawnObstacle:
    return SpawnObstacle(actor=0, model=1, position=(x, 50.0, 0.0))


def ghost(alias: int, x: float = 0.0) -> PlaceNpcGhost:
    return PlaceNpcGhost(alias=alias, model=CAR, position=(x, 80.0, 0.0), rotation=(0.0, 0.0, 0.0))


def info(world: Coming) -> dict[int, tuple[float, float, float]]:
    """Places by id in Object Info."""
    data = Publisher(world.scene, DEFAULT_REVISION, 0).builder("ObjectInfo")(world.now)
    return {slot.id: slot.position for slot in packet.object_slots(data)}


def test_a_number_is_its_id_until_one_is_used_again(world):
    world.tick(cone(), cone(5.0), SetPedestrianSpawnPoints((PedestrianSpawnPoint(id=0, mode=CharacterMode.STAND),)))
    world.tick(cone(10.0))
    assert world.numbers == {1: 1, 2: 2, 3: 3, 4: 4, 5: 5}


def test_a_number_is_given_again_after_ten_seconds_and_not_before(world):
    world.tick(cone())
    world.tick(RemoveActor(2))
    world.let_pass(COOLING * 1e-9 - 2 * TICK)
    world.tick(cone())
    assert world.now.number.number_of(3) == 3, "9.95 s after the other one left"
    world.let_pass(TICK)
    world.tick(cone(7.0))
    assert world.now.number.number_of(4) == 2, "10.05 s after"
    assert set(info(world)) == {2, 3}


def test_object_info_tells_of_an_actor_whose_id_has_no_room(world):
    last = 40_000
    leaves = world.now
    world.now = type(leaves)(**{name: getattr(leaves, name) for name in STATE_FIELDS} | {"last_id": last})
    world.tick(cone(3.0), cone(9.0))
    assert world.now.obstacles.state.id.tolist() == [40_001, 40_002]
    assert info(world) == {2: (3.0, 50.0, 0.0), 3: (9.0, 50.0, 0.0)}


def test_ids_go_up_to_the_last_one_and_are_not_given_beyond(world):
    before = world.now
    world.now = type(before)(**{name: getattr(before, name) for name in STATE_FIELDS} | {"last_id": LAST_ID - 1})
    world.tick(cone())
    assert world.now.last_id == LAST_ID == 2**31 - 1
    refused = step(world.scene, world.now, (cone(),), world.noise)
    assert "can be told apart" in refused.refusals[0]
    assert len(refused.obstacles) == 1


def test_the_numbers_survive_a_snapshot_file(world):
    world.tick(*(cone(float(x)) for x in range(5)))
    world.tick(RemoveActor(3), RemoveActor(5))
    header = RunHeader(
        version="0",
        map_name="",
        map_digest="",
        seed=0,
        tick=world.scene.tick,
        epoch=0,
        egos=(),
        revision="24.R2",
        physics=PHYSICS_VERSION,
    )
    again = snapshot_from_bytes("memory", snapshot_to_bytes(header, world.now)).snapshot
    assert again.digest() == world.now.digest()
    assert flaw_of(world.scene, world.first, again) == ""
    world.let_pass(11.0)
    later = step(world.scene, world.now, (cone(11.0), cone(12.0)), world.noise)
    assert later.number.numbers_of(later.obstacles.state.id).tolist() == [2, 4, 6, 3, 5]


def test_while_time_stands_the_number_that_has_been_free_longest_is_used_where_there_is_no_other():
    table = NumberTable.zeros(LAST_NUMBER)
    table.actor[:] = table.number[:] = np.arange(1, LAST_NUMBER + 1)
    table.freed[:] = HELD
    table.freed[[9, 19, 29]] = 5, 3, 3
    after = renumbered(table.freeze(), [40_000, 40_001], {7}, np.zeros(0, np.int64), [], 6, np.zeros(0, np.int64))
    assert after.number[-2:].tolist() == [20, 30]
    assert after.freed[6] == 6
    assert after.held() == LAST_NUMBER - 3 - 1 + 2
    assert len(np.unique(after.number)) == len(after)


def test_as_many_may_be_there_at_a_time_as_numbers_tell_apart(world, monkeypatch):
    monkeypatch.setattr("dorosim.world.draft.LAST_NUMBER", 5)
    now = step(world.scene, world.now, [cone(float(x)) for x in range(9)], world.noise)
    assert (len(now.obstacles), len(now.refusals), now.last_id) == (4, 5, 5)
    now = step(world.scene, now, [RemoveActor(3), cone(20.0), cone(30.0)], world.noise)
    assert (len(now.obstacles), len(now.refusals), now.last_id) == (4, 1, 6)


@pytest.mark.parametrize("seed", [1, 2])
def test_anything_may_come_and_go_in_any_order(seed):
    world, chance, places = Coming(seed), random.Random(seed), itertools.count(step=2.0)
    for _ in range(400):
        there = [actor for actor in world.numbers if actor != EGO]
        gone = chance.sample(there, min(len(there), chance.randrange(4)))
        commands = [RemoveActor(actor) for actor in gone]
        commands += [cone(next(places)) for _ in range(chance.randrange(4))]
        if chance.random() < 0.2:
            commands.append(ghost(chance.choice((3, 7, 12, 60, 200, -4, 40_000)), chance.uniform(0.0, 100.0)))
        chance.shuffle(commands)
        world.tick(*commands, paused=chance.random() < 0.1)
        world.let_pass(chance.choice((0.0, 0.05, 0.5)))
    assert flaw_of(world.scene, world.first, world.now) == ""
    assert world.most > 2 * max(world.numbers.values()), "numbers have been used again"


def test_what_is_undone_leaves_no_trace(world):
    """A scenario's actor that cannot be made stays as it was, with its number."""
    world.tick(CreateAs(7, SpawnObstacle(0, 1, (0.0, 50.0, 0.0))))
    far = CreateAs(7, SpawnObstacle(0, 1, (math.nan, 50.0, 0.0)))
    now = step(world.scene, world.now, (far, cone(9.0)), world.noise)
    assert len(now.refusals) == 1
    assert now.number.numbers_of(now.obstacles.state.id).tolist() == [2, 3]
    assert flaw_of(world.scene, world.first, now) == ""


def test_a_map_object_that_is_removed_frees_its_number(world):
    world.tick(CreateMapObject(0, "puddle", (0.0, 50.0, 0.0), (0.0, 0.0, 0.0)))
    now = step(world.scene, world.now, (RemoveMapObject(2),), world.noise)
    assert now.number.freed[now.number.actor == 2].tolist() == [now.time]
    assert flaw_of(world.scene, world.first, now) == ""


@pytest.mark.soak
def test_a_run_goes_on_after_100_000_spawns_and_removals():
    """Cones come and go for 500 s, 10 in and out a tick: no id comes again, and numbers are the smallest free ones."""
    world = Coming()
    waiting: list[int] = []
    for turn in range(10_000):
        before = world.now.last_id
        gone, waiting = waiting[:10], waiting[10:]
        world.tick(*(cone(3.0 * n + 30.0 * (turn % 4)) for n in range(10)), *(RemoveActor(actor) for actor in gone))
        waiting += range(before + 1, world.now.last_id + 1)
        if turn == 5_000:
            header = RunHeader(
                version="0",
                map_name="",
                map_digest="",
                seed=0,
                tick=world.scene.tick,
                epoch=0,
                egos=(EgoStart(model=CAR, position=(0.0, 0.0, 0.0), heading=0.0),),
                revision="24.R2",
            )
            world.now = snapshot_from_bytes("memory", snapshot_to_bytes(header, world.now)).snapshot
    assert world.now.last_id == 100_001
    assert max(world.numbers.values()) < 2_100, "about as many as come in 10 s"
    assert flaw_of(world.scene, world.first, world.now) == ""
    assert len(info(world)) == 10
