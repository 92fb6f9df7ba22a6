"""A bag that is replayed moves everybody as it has them, and nobody else's commands change that."""

from __future__ import annotations

import math

import pytest

from dorosim.app.analyse.bag.trajectories import read_trajectories
from dorosim.bridge.actor import ActorKind
from dorosim.bridge.actor_state import ActorReader
from dorosim.bridge.ros.player import Player, PlayTarget
from dorosim.ground.error import InputError
from dorosim.wire.ros.registry import registry_of
from dorosim.world.actor.motion_command import PlaceActor
from dorosim.world.pedestrian.command import SpawnPedestrian
from dorosim.world.snapshot import EGO
from dorosim.world.spawn.point import PedestrianSpawnPoint, VehicleSpawnPoint
from dorosim.world.traffic.command import (
    CreateNpc,
    PauseRun,
    SetPedestrianSpawnPoints,
    SetVehicleSpawnPoints,
)
from dorosim.world.vehicle.command import DriveVehicle, PlaceVehicle, SelectMode
from dorosim.world.vehicle.keyboard_command import DriveByKeyboard, TakeKeyboard
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear
from tests.recording.bag_maker import BEGIN, SECOND, drive_messages, ego_at, ego_status, objects, somebody, write_bag
from tests.scenario.world import SMALL
from tests.world.stage import Stage

REGISTRY = registry_of("2024")
TICK = 10_000_000


class Theatre(Stage):
    """A small world in which a bag is played."""

    def __init__(self, film) -> None:
        super().__init__(SMALL)
        self.player = Player(film)
        self._reader = ActorReader(self.scene)

    def play(self, *others, paused: bool = False):
        """One tick; commands of others come before those of the player, as the loop has it."""
        found = self.player.commands(self.now, TICK)
        before = len(others)
        self.tick(*others, *(found or ()), paused=paused)
        if found is not None:
            self.player.told(self.now, self.now.outcomes[before:])
            assert [one.refusal for one in self.now.outcomes[before:] if one.refusal] == []
        return self.now

    def those(self, *kinds) -> list:
        return [state for state in self._reader.states(self.now, frozenset(kinds)) if state.id != EGO]


@pytest.fixture(scope="module")
def film(tmp_path_factory):
    return read_trajectories(write_bag(tmp_path_factory.mktemp("bag") / "drive.bag", drive_messages(REGISTRY)))


def test_everybody_is_where_the_bag_has_them(film):
    """At 100 Hz, against the formulas by which the bag was made at 50 Hz."""
    stage = Theatre(film)
    for number in range(399):
        stage.play()
        t = number * 0.01
        ego = stage._reader.state(stage.now, EGO)
        x, y, heading = ego_at(t)
        assert ego.position == pytest.approx((x, y, 0.5), abs=2e-4), "a chord of 0.2 m of a circle of 30 m"
        assert math.degrees(ego.rotation[2]) == pytest.approx(math.remainder(heading, 360.0), abs=1e-3)
        assert ego.velocity[0] == pytest.approx(10.0)
        assert math.degrees(ego.steer) == pytest.approx(5.0)
        cars = {state.position[1]: state for state in stage.those(ActorKind.GHOST)}
        assert cars[-20.0].position[0] == pytest.approx(50.0 + 8.0 * t, abs=1e-6)
        if number > 1:
            assert cars[-20.0].velocity[0] == pytest.approx(8.0, abs=1e-3)
        assert (-30.0 in cars) == (1.0 <= t < 2.0)
        (person,) = stage.those(ActorKind.PEDESTRIAN)
        assert person.position[:2] == pytest.approx((10.0, -20.0 + 1.5 * t), abs=1e-6)
        if number:
            assert person.velocity[0] == pytest.approx(1.5, abs=1e-6), "forward"
        boxes = {state.position[1]: state for state in stage.those(ActorKind.OBSTACLE)}
        assert boxes[-40.0].position[0] == pytest.approx(15.0 + t, abs=1e-6)
        assert math.degrees(boxes[-40.0].rotation[2]) == pytest.approx(10.0 * t, abs=1e-3)
        assert boxes[-40.0].size == pytest.approx((2.0, 1.0, 0.5))
        assert boxes[-45.0].position[0] == 5.0
    assert stage.those(ActorKind.GHOST)[0].size[0] == pytest.approx(4.8, abs=0.2), "the model of the name"


def test_what_was_there_gives_way_and_what_was_replayed_leaves(film):
    stage = Theatre(film)
    stage.apply(CreateNpc(model="2016_Hyundai_Ioniq", link=0, s=20.0), SpawnPedestrian(0, 0, (1.0, 60.0, 0.0), 0.0))
    assert len(stage.those(ActorKind.NPC)) == 1
    for _ in range(10):
        stage.play()
    assert stage.those(ActorKind.NPC) == []
    assert len(stage.those(ActorKind.PEDESTRIAN)) == len(stage.those(ActorKind.GHOST)) == 1
    stage.apply(*stage.player.farewell(stage.now))
    assert stage.those(*ActorKind) == []
    assert stage.now.vehicle.control_mode[0] == ControlMode.AUTO
    place = stage.now.vehicle.x[0], stage.now.vehicle.y[0]
    stage.ticks(100)
    assert (stage.now.vehicle.x[0], stage.now.vehicle.y[0]) == pytest.approx(place, abs=0.05), "it stands, held"


def test_commands_of_others_do_not_move_who_is_replayed(film):
    stage, alone = Theatre(film), Theatre(film)
    for number in range(60):
        alone.play()
        (car,) = stage.those(ActorKind.GHOST) or (None,)
        others = [
            DriveVehicle(EGO, ControlKind.PEDALS, ControlMode.AUTO, accelerator=1.0),
            PlaceVehicle(EGO, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 5.0, Gear.D),
            SelectMode(EGO, (ControlMode.KEYBOARD, ControlMode.CRUISE)[number % 2]),
        ]
        if car is not None:
            others.append(PlaceActor(car.id, (0.0, 99.0, 0.0), (0.0, 0.0, 1.0)))
        stage.play(*others)
        for kinds in ((ActorKind.EGO,), (ActorKind.GHOST,), (ActorKind.PEDESTRIAN,)):
            one, same = stage._reader.states(stage.now, kinds), alone._reader.states(alone.now, kinds)
            assert [(a.position, a.rotation) for a in one] == [(a.position, a.rotation) for a in same]


def test_who_is_at_the_keyboard_lets_go_of_who_is_replayed(film):
    """At the beginning, meanwhile, and at the end."""
    stage, alone = Theatre(film), Theatre(film)
    stage.apply(TakeKeyboard(EGO), DriveByKeyboard(EGO, accelerator=1.0))
    alone.apply()
    for number in range(20):
        alone.play()
        stage.play(*((TakeKeyboard(EGO), DriveByKeyboard(EGO, accelerator=1.0)) if number > 10 else ()))
        assert stage.now.vehicle.seized[0] == 0
        assert stage.now.vehicle.x[0] == alone.now.vehicle.x[0]
    stage.apply(TakeKeyboard(EGO))
    stage.apply(*stage.player.farewell(stage.now))
    assert stage.now.refusals == ()
    assert stage.now.vehicle.control_mode[0] == ControlMode.AUTO


@pytest.mark.parametrize(
    "targets", [PlayTarget.EGO, PlayTarget.NPC, PlayTarget.PEDESTRIAN, PlayTarget.EGO | PlayTarget.PEDESTRIAN]
)
def test_only_targets_are_replayed(film, targets):
    stage = Theatre(film)
    stage.player.targets = targets
    npc = CreateNpc(model="2016_Hyundai_Ioniq", link=0, s=20.0)
    stage.apply(npc)
    for _ in range(50):
        stage.play()
    assert (stage.now.vehicle.control_mode[0] == ControlMode.GHOST) == (PlayTarget.EGO in targets)
    assert len(stage.those(ActorKind.GHOST)) == (PlayTarget.NPC in targets)
    assert len(stage.those(ActorKind.OBSTACLE)) == 2 * (PlayTarget.NPC in targets)
    assert len(stage.those(ActorKind.PEDESTRIAN)) == (PlayTarget.PEDESTRIAN in targets)
    assert len(stage.those(ActorKind.NPC)) == (PlayTarget.NPC not in targets), "the simulation's own goes on"
    stage.player.targets = PlayTarget.NPC
    stage.play()
    assert stage.now.vehicle.control_mode[0] == ControlMode.AUTO
    assert len(stage.those(ActorKind.GHOST)) == 1
    assert stage.those(ActorKind.PEDESTRIAN) == []


@pytest.mark.parametrize("left", [PlayTarget.NPC, PlayTarget.PEDESTRIAN])
def test_spawn_points_spawn_again_when_theirs_are_no_longer_replayed(film, left):
    stage = Theatre(film)
    stage.apply(
        SetVehicleSpawnPoints((VehicleSpawnPoint(id=0), VehicleSpawnPoint(id=0, enabled=False))),
        SetPedestrianSpawnPoints((PedestrianSpawnPoint(id=0), PedestrianSpawnPoint(id=0, enabled=False))),
    )

    def enabled() -> tuple[list[int], list[int]]:
        spawn = stage.now.spawn
        return spawn.vehicle.enabled.tolist(), spawn.pedestrian.enabled.tolist()

    for targets in (7, 7 & ~left, 7, 7 & ~left, 1):
        stage.player.targets = PlayTarget(targets)
        stage.play()
        assert enabled() == (
            [PlayTarget.NPC not in PlayTarget(targets), 0],
            [PlayTarget.PEDESTRIAN not in PlayTarget(targets), 0],
        )
    stage.player.targets = PlayTarget(7)
    stage.play()
    stage.apply(*stage.player.farewell(stage.now))
    assert enabled() == ([1, 0], [1, 0])


def test_speed_and_start(film):
    stage = Theatre(film)
    stage.player.seek(SECOND)
    stage.player.run_at(2.0)
    for number in range(100):
        stage.play()
        assert stage.player.moment == SECOND + number * 20_000_000
    x, y, _ = ego_at(1.0 + 99 * 0.02)
    assert (stage.now.vehicle.x[0], stage.now.vehicle.y[0]) == pytest.approx((x, y), abs=1e-6)
    assert stage.now.vehicle.velocity_x[0] == pytest.approx(20.0)
    assert stage.those(ActorKind.PEDESTRIAN)[0].velocity[0] == pytest.approx(3.0)
    stage.player.seek(0)
    stage.play()
    assert (stage.now.vehicle.x[0], stage.now.vehicle.y[0]) == pytest.approx((0.0, 0.0), abs=1e-6)


def test_a_pause_holds_the_film_and_a_start_is_seen_meanwhile(film):
    stage = Theatre(film)
    for _ in range(50):
        stage.play()
    stage.play(PauseRun(paused=True))
    moment = stage.player.moment
    for _ in range(5):
        assert stage.player.commands(stage.now, TICK) in ((), None) or _ == 0
        stage.play()
    stage.player.seek(2 * SECOND)
    stage.play()
    x, y, _ = ego_at(2.0)
    assert (stage.now.vehicle.x[0], stage.now.vehicle.y[0]) == pytest.approx((x, y), abs=1e-6)
    assert stage.player.moment == 2 * SECOND != moment
    stage.apply(PauseRun(paused=False))
    for _ in range(10):
        stage.play()
    assert stage.player.moment == 2 * SECOND + 10 * TICK


def test_the_end_pauses_the_run_once(film):
    stage = Theatre(film)
    stage.player.seek(film.length - 5 * TICK)
    for _ in range(6):
        stage.play()
    assert stage.player.ended
    assert not stage.now.paused
    stage.play()
    assert stage.now.paused
    stage.apply(PauseRun(paused=False))
    for _ in range(5):
        stage.play()
    assert not stage.now.paused, "who lets it go on sees everybody stand"
    assert (stage.now.vehicle.x[0], stage.now.vehicle.y[0]) == pytest.approx(ego_at(4.0)[:2], abs=1e-6)


def test_a_run_that_begins_anew_ends_the_replay(film):
    stage = Theatre(film)
    first = stage.now
    for _ in range(3):
        stage.play()
    stage.now = first
    assert stage.player.commands(stage.now, TICK) is None
    assert stage.player.problem == "the run began anew"


def test_somebody_who_is_taken_away_comes_again(film):
    from dorosim.world.traffic.command import RemoveActor

    stage = Theatre(film)
    for _ in range(3):
        stage.play()
    gone = [state.id for state in stage.those(*ActorKind)]
    stage.apply(*(RemoveActor(actor) for actor in gone))
    stage.play()
    stage.play()
    assert len(stage.those(*ActorKind)) == len(gone) == 4


def test_replay_info_stands_in_for_the_list_of_objects_and_tilts_the_ego_vehicle(tmp_path):
    half = math.radians(3.0) / 2

    def messages():
        for number in range(3):
            time = BEGIN + number * 20_000_000
            yield "/Ego_topic", ego_status(REGISTRY, time, 1.0, 2.0, 0.0), time
            npc = somebody(REGISTRY, 5, 1, "2015_Kia_K5", 30.0, 40.0, 90.0)
            turned = REGISTRY.make("geometry_msgs/Quaternion", y=math.sin(half), w=math.cos(half))
            info = objects(REGISTRY, time, [npc], name="morai_msgs/ReplayInfo", orientation=turned)
            yield "/ReplayInfo_topic", info, time

    stage = Theatre(read_trajectories(write_bag(tmp_path / "a.bag", messages())))
    stage.play()
    (car,) = stage.those(ActorKind.GHOST)
    assert (car.position, car.rotation[2]) == ((30.0, 40.0, 0.5), pytest.approx(math.pi / 2))
    assert stage.now.vehicle.pitch[0] == pytest.approx(math.radians(3.0), abs=1e-6)


def test_a_jump_has_no_way_between(tmp_path):
    def messages():
        for number, x in enumerate((0.0, 0.0, 500.0, 500.0)):
            time = BEGIN + number * 20_000_000
            yield "/Ego_topic", ego_status(REGISTRY, time, x, 0.0, 0.0), time

    film = read_trajectories(write_bag(tmp_path / "a.bag", messages()))
    assert {film.ego_at(moment).position[0] for moment in range(0, 60_000_000, 1_000_000)} == {0.0, 500.0}


@pytest.mark.parametrize("generation", ["2022", "2024", "26.r1"])
def test_bags_of_all_generations_are_read(tmp_path, generation):
    registry = registry_of(generation)
    steer = "front_steer_angle" if generation == "26.r1" else "wheel_angle"
    status = ego_status(registry, BEGIN, 1.0, 2.0, 90.0, 3.0, **{steer: 10.0})
    film = read_trajectories(write_bag(tmp_path / "a.mcap", [("/Ego_topic", status, BEGIN)], registry))
    ego = film.ego_at(0)
    assert ego.position == (1.0, 2.0, 0.5)
    assert (ego.rotation[2], ego.speed, ego.steer) == pytest.approx((math.pi / 2, 3.0, math.radians(10.0)), rel=1e-6)


def test_bags_that_cannot_be_replayed_say_why(tmp_path):
    status = ego_status(REGISTRY, BEGIN, 1.0, 2.0, 90.0)
    text = REGISTRY.make("std_msgs/String", data="x")
    write_bag(tmp_path / "text.bag", [("/text", text, BEGIN)])
    write_bag(tmp_path / "far.bag", [("/Ego_topic", ego_status(REGISTRY, BEGIN, math.nan, 0.0, 0.0), BEGIN)])
    whole = write_bag(tmp_path / "good.bag", [("/Ego_topic", status, BEGIN)]).read_bytes()
    (tmp_path / "cut.bag").write_bytes(whole[:-100])
    md5 = REGISTRY.md5("morai_msgs/EgoVehicleStatus").encode()
    (tmp_path / "md5.bag").write_bytes(whole.replace(md5, b"0" * 32))
    (tmp_path / "lacks.bag").write_bytes(
        whole.replace(b"float64 heading", b"float64 headi_g").replace(md5, b"*".ljust(32))
    )
    short = bytes(REGISTRY.encode(status))
    (tmp_path / "type.bag").write_bytes(whole.replace(b"int32 unique_id", b"float64[] uniqu"))
    assert short
    for name, words in (
        ("text", "holds no EgoVehicleStatus, ObjectStatusList, ReplayInfo"),
        ("far", "a number is none"),
        ("cut", "dorosim bag repair"),
        ("md5", "but its definition has a54480c8f4c41293a77cf7a0eb3925c9"),
        ("type", "definition"),
        ("lacks", "definition|is not as morai_msgs has it"),
    ):
        with pytest.raises(InputError, match=words):
            read_trajectories(tmp_path / f"{name}.bag")


def test_stamps_that_do_not_tell_the_order_leave_it_to_the_bag(tmp_path):
    """As where a run was reset while it was recorded, or nobody stamped the messages."""

    def messages():
        for number in range(4):
            yield "/Ego_topic", ego_status(REGISTRY, 0, float(number), 0.0, 0.0), BEGIN + number * SECOND

    film = read_trajectories(write_bag(tmp_path / "a.bag", messages()))
    assert film.length == 3 * SECOND
    assert film.ego_at(SECOND * 3 // 2).position[0] == pytest.approx(1.5)
