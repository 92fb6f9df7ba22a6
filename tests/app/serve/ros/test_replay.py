"""Bags in a program: recorded while it runs, and replayed by service."""

from __future__ import annotations

import math

import pytest

from dorosim.app.analyse.bag.record import record_bag
from dorosim.app.analyse.bag.trajectories import read_trajectories
from dorosim.app.setting.settings import BagSettings, RosSettings, TrafficSettings
from dorosim.bridge.obstacle import obstacle_to_make
from dorosim.bridge.ros.bag_trajectories import Role
from dorosim.bridge.sensor.ray import Ray
from dorosim.ground.error import InputError
from dorosim.recording.bag.reader import reading
from dorosim.recording.bag.repair import look_into
from dorosim.wire.ros.registry import registry_of
from dorosim.world.actor.command import PauseRun
from dorosim.world.mount.command import AddSensor, RemoveAllSensors
from dorosim.world.mount.setting import GroundTruthSettings
from dorosim.world.snapshot import EGO
from dorosim.world.vehicle.command import SelectMode
from dorosim.world.vehicle.mode import ControlMode
from tests.app.program import SPEED, until
from tests.app.serve.ros.program import Listener, RosProgram
from tests.recording.bag_maker import drive_messages, ego_at, write_bag

REGISTRY = registry_of("2024")
STATUS = "/sim/process/state/msg/MoraiSimProcStatus"
PLAY, PAUSE, STOP = 1, 0x10, 0x20
SLOW = 0.2
"""Factor of simulated over wall time."""


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    made = RosProgram(tmp_path_factory.mktemp("program"))
    write_bag(made.data / "Recording" / "drive.bag", drive_messages(REGISTRY, 3.0))
    write_bag(made.data / "Recording" / "deep.mcap", drive_messages(REGISTRY, 1.0))
    (made.data / "Recording" / "text.bag").write_text("hello")
    write_bag(made.data / "outside.bag", drive_messages(REGISTRY, 0.1))
    yield made
    made.close()


@pytest.fixture(autouse=True)
def simulation(request):
    """Every test begins in simulation mode, and its time goes on."""
    if "program" not in request.fixturenames:
        return
    made = request.getfixturevalue("program")
    if made.service_host.bags.status.name:
        assert made.call("/Morai_SimProc", sim_process_status=STOP).result
    made.do([PauseRun(paused=False)])


def codes(program) -> tuple[int, int, int]:
    told = program.status(STATUS)
    return told.command_result, told.current_mode, told.current_status


@pytest.fixture
def slowly(program):
    """A bag of a second or three is not over before somebody asks again, on a busy machine too."""
    program.context.clock.change(SLOW)
    yield
    program.context.clock.change(SPEED)


def last_command_time(program) -> int:
    """When the last request came, as the newest status that was heard tells it [ns since 1970]."""
    told = program.status(STATUS).latest_command_time
    return told.sec * 10**9 + told.nanosec


@pytest.mark.usefixtures("slowly")
def test_a_bag_is_loaded_played_paused_and_stopped(program):
    assert codes(program)[1:] == (1, 1)
    assert program.call("/Morai_SimProc", sim_process_status=PLAY, replay_option=1, rosbag_file_name="drive.bag").result
    assert codes(program) == (1, 0x10, 1)
    until(lambda: program.service_host.bags.status.moment > 500_000_000)
    assert program.now.vehicle.control_mode[0] == ControlMode.GHOST
    assert len(program.now.ghost) == len(program.now.people) == 1
    assert program.call("/Morai_SimProc", sim_process_status=PAUSE).result
    assert codes(program) == (1, 0x10, 0x10)
    status = program.service_host.bags.status
    x, y, _ = ego_at(status.moment * 1e-9)
    vehicle = program.now.vehicle
    assert (vehicle.x[0], vehicle.y[0]) == pytest.approx((x, y), abs=1e-3)
    assert program.call("/Morai_SimProc", sim_process_status=PLAY).result
    program.context.clock.change(SPEED)
    until(lambda: program.service_host.bags.status.ended and program.now.paused)
    program.context.clock.change(SLOW)
    assert codes(program) == (1, 0x10, 0x20)
    assert (program.now.vehicle.x[0], program.now.vehicle.y[0]) == pytest.approx(ego_at(3.0)[:2], abs=1e-6)
    assert program.call("/Morai_SimProc", sim_process_status=PLAY).result, "it begins anew"
    until(lambda: 0 < program.service_host.bags.status.moment < 2_000_000_000)
    until(lambda: 0 < program.hub.time - last_command_time(program) < 10**10)
    assert program.call("/Morai_SimProc", sim_process_status=STOP).result
    assert codes(program)[:2] == (1, 1)
    assert len(program.now.ghost) == len(program.now.people) == len(program.now.obstacles) == 0
    assert program.now.vehicle.control_mode[0] == ControlMode.AUTO
    assert not program.call("/Morai_SimProc", sim_process_status=STOP).result
    assert codes(program)[:2] == (0x10, 1)


@pytest.mark.parametrize(
    ("load", "target", "start", "speed", "ego", "person"),
    [(0x0001, 0x0010, 0x0100, 0x1000, 0x0001, 0x0100), (1, 2, 4, 8, 1, 4)],
    ids=["as documented", "as bits"],
)
def test_both_ways_to_write_options_mean_the_same(program, load, target, start, speed, ego, person):
    assert program.call(
        "/Morai_SimProc",
        sim_process_status=PAUSE,
        replay_option=load | target | start | speed,
        rosbag_file_name="drive",
        replay_target_option=ego | person,
        start_time=1500,
        replay_speed=2,
    ).result
    until(lambda: len(program.now.people) == 1)
    assert program.service_host.bags.status.moment == 1_500_000_000
    assert len(program.now.ghost) == len(program.now.obstacles) == 0
    until(lambda: program.now.vehicle.control_mode[0] == ControlMode.GHOST)
    assert (program.now.vehicle.x[0], program.now.vehicle.y[0]) == pytest.approx(ego_at(1.5)[:2], abs=1e-6)
    assert program.now.vehicle.velocity_x[0] == pytest.approx(20.0)
    assert program.call("/Morai_SimProc", sim_process_status=0, replay_option=start, start_time=500).result
    until(lambda: program.service_host.bags.status.moment == 500_000_000)


@pytest.mark.parametrize(
    ("request_fields", "result"),
    [
        ({"sim_process_status": 1, "replay_option": 1, "rosbag_file_name": "none"}, 0x20),
        ({"sim_process_status": 1, "replay_option": 1, "rosbag_file_name": ""}, 0x20),
        ({"sim_process_status": 1, "replay_option": 1, "rosbag_file_name": "text.bag"}, 0x20),
        ({"sim_process_status": 1, "replay_option": 1, "rosbag_file_name": "../outside.bag"}, 0x20),
        ({"sim_process_status": 1, "replay_option": 1, "rosbag_file_name": "/etc/passwd"}, 0x20),
        ({"sim_process_status": 1, "replay_option": 1, "rosbag_file_name": "a\0b"}, 0x20),
        ({"sim_process_status": 1, "replay_option": 0x0110, "replay_target_option": 1}, 0x30),
        ({"sim_process_status": 1, "replay_option": 8, "replay_speed": 2}, 0x30),
        ({"sim_process_status": 3}, 0x10),
        ({"sim_process_status": 0x20}, 0x10),
        ({"sim_process_status": 1, "replay_option": 0x20}, 0x10),
        ({"sim_process_status": 1, "replay_option": -1}, 0x10),
        ({"sim_process_status": 1, "replay_option": 3, "rosbag_file_name": "drive"}, 0x10),
        ({"sim_process_status": 1, "replay_option": 3, "replay_target_option": 8, "rosbag_file_name": "drive"}, 0x10),
        ({"sim_process_status": 1, "replay_option": 9, "replay_speed": -3, "rosbag_file_name": "drive"}, 0x10),
        ({"sim_process_status": 1, "replay_option": 9, "replay_speed": 999, "rosbag_file_name": "drive"}, 0x10),
        ({"sim_process_status": 1, "replay_option": 5, "start_time": 99_000, "rosbag_file_name": "drive"}, 0x10),
        ({"sim_process_status": 1, "replay_option": 5, "start_time": -1, "rosbag_file_name": "drive"}, 0x10),
    ],
)
def test_what_cannot_be_is_told_by_its_code(program, request_fields, result):
    tick = program.now.tick
    assert not program.call("/Morai_SimProc", **request_fields).result
    assert program.status(STATUS).command_result == result
    assert program.now.vehicle.control_mode[0] != ControlMode.GHOST
    until(lambda: program.now.tick > tick + 2)


def test_play_and_pause_without_a_bag_are_those_of_the_simulation(program):
    for pause in (2, 0x10):
        assert program.call("/Morai_SimProc", sim_process_status=pause).result
        assert program.now.paused
        assert codes(program) == (1, 1, 0x10)
        assert program.call("/Morai_SimProc", sim_process_status=PLAY).result
        assert not program.now.paused


def test_the_status_comes_while_the_run_is_paused(program):
    listener = Listener(STATUS)
    program.hub.join(listener)
    try:
        program.call("/Morai_SimProc", sim_process_status=PAUSE)
        listener.posts.clear()
        until(lambda: len(listener.posts) > 3)
        assert listener.posts[-1].message.current_status == 0x10
    finally:
        program.hub.leave(listener)


@pytest.mark.usefixtures("slowly")
def test_another_bag_and_another_run_end_a_replay(program):
    program.call("/Morai_SimProc", sim_process_status=PLAY, replay_option=1, rosbag_file_name="drive")
    until(lambda: len(program.now.ghost) == 1)
    assert program.call("/Morai_SimProc", sim_process_status=PLAY, replay_option=1, rosbag_file_name="deep").result
    assert (
        program.service_host.bags.status.length == 1_001_000_000
        or program.service_host.bags.status.length == 1_000_000_000
    )
    program.service_host.runs.restart()
    until(lambda: not program.service_host.bags.status.playing)
    assert codes(program)[1] == 1
    assert program.service_host.bags.status.problem == "the run began anew"
    assert program.call("/Morai_SimProc", sim_process_status=PLAY, replay_option=1, rosbag_file_name="deep").result


def test_sensors_see_who_is_replayed(program):
    program.do([AddSensor(EGO, settings=GroundTruthSettings(range_max=200.0), sensor=7)])
    fields = {"replay_option": 5, "rosbag_file_name": "drive", "start_time": 1500}
    assert program.call("/Morai_SimProc", sim_process_status=PAUSE, **fields).result
    until(lambda: len(program.now.ghost) == 2 and len(program.now.people) == 1)
    sight = program.hub.place.situate("").at.host.sensors
    reading = sight.look(7)
    told = {int(actor): position.tolist() for actor, position in zip(reading.actor, reading.position, strict=True)}
    ghosts = {int(actor): x for actor, x in zip(program.now.ghost.id, program.now.ghost.x, strict=True)}
    assert set(told) == {*ghosts, *program.now.people.state.id.tolist(), *program.now.obstacles.state.id.tolist()}
    moving = next(actor for actor, x in ghosts.items() if x == pytest.approx(50.0 + 8.0 * 1.5, abs=1e-6))
    person = int(program.now.people.state.id[0])
    for actor, (x, y) in ((moving, (62.0, -20.0)), (person, (10.0, -20.0 + 1.5 * 1.5))):
        (hit,) = sight.cast(program.now, [Ray((x, y, 2.8), (0.0, 0.0, -1.0))])
        assert hit.actor == actor, "a ray from above meets it"
    program.do([RemoveAllSensors()])


def drive_a_little(folder, **bag) -> RosProgram:
    """A car drives among others and people, and a cone lies beside its road."""
    traffic = TrafficSettings(vehicles=8, pedestrians=8)
    made = RosProgram(folder, RosSettings(bag=BagSettings(**bag)), record=str(folder / "run.rec"), traffic=traffic)
    vehicle = made.now.vehicle
    beside = (float(vehicle.x[0]) + 5.0, float(vehicle.y[0]) + 5.0, float(vehicle.z[0]))
    made.do([SelectMode(EGO, ControlMode.CRUISE), obstacle_to_make("cone", beside, (0.0, 0.0, 0.3), (1.0,) * 3)[0]])
    until(lambda: made.now.time > 3_000_000_000)
    made.close()
    return made


def test_a_run_that_was_recorded_is_replayed_where_it_was(tmp_path):
    """A car drives in the town, its bag is replayed in another run, and that one's bag tells the same places."""
    (tmp_path / "first").mkdir()
    (tmp_path / "second").mkdir()
    first, second = tmp_path / "first" / "a.bag", tmp_path / "second" / "b.mcap"
    drive_a_little(tmp_path / "first", file=str(first), topics=("/Ego_topic", "/Object_topic", "/ReplayInfo_topic"))
    film = read_trajectories(first)
    assert film.ego[-1][6] > 1.0, "it drives"
    assert film.begin - 1000 * 10**9 <= 20_000_000, "the bag begins with the run"
    settings = BagSettings(file=str(second), replay=str(first), end=True)
    again = RosProgram(tmp_path / "second", RosSettings(bag=settings))
    again.thread.join(120.0)
    assert not again.thread.is_alive(), "the program ends with the bag"
    again.close()
    told, seen = 0, dict.fromkeys(Role, 0)
    with reading(second) as bag:
        for stored in bag.messages():
            if stored.connection.topic == "/Ego_topic":
                status = REGISTRY.decode("morai_msgs/EgoVehicleStatus", stored.data)
                # the first tick ends at 10 ms and shows the first moment
                wanted = film.ego_at(stored.time - 1000 * 10**9 - 10_000_000)
                assert (status.position.x, status.position.y) == pytest.approx(wanted.position[:2], abs=1e-6)
                assert status.velocity.x == pytest.approx(wanted.speed, abs=1e-6)
                told += 1
            elif stored.connection.topic == "/Object_topic":
                message = REGISTRY.decode("morai_msgs/ObjectStatusList", stored.data)
                moment = stored.time - 1000 * 10**9 - 10_000_000
                lists = (message.npc_list, message.pedestrian_list, message.obstacle_list)
                for role, found in zip(Role, lists, strict=True):
                    wanted = [placed for who, placed in film.others_at(moment) if who.role is role]
                    assert len(found) == len(wanted)
                    seen[role] += len(found)
                    for one in found:
                        place = one.position.x, one.position.y
                        near = min(wanted, key=lambda placed: math.dist(placed.position[:2], place))
                        assert math.dist(near.position[:2], place) < 1e-6
                        assert one.name == near.name
                        turned = math.remainder(math.radians(one.heading) - near.yaw, math.tau)
                        assert turned == pytest.approx(0.0, abs=1e-6)
    assert told >= 140
    assert min(seen.values()) > 100, "vehicles, people and the cone are told of"

    out = tmp_path / "of the recording.bag"
    line = record_bag(tmp_path / "first" / "run.rec", out, ("/Ego_topic",), None, None, tmp_path / "data")
    assert "differs" not in line
    offline = read_trajectories(out)
    assert len(offline.ego_time) >= len(film.ego_time) - 1
    count = min(len(film.ego), len(offline.ego))
    columns = [0, 1, 2, 5, 6, 7]
    assert offline.ego[:count][:, columns].tolist() == film.ego[:count][:, columns].tolist(), "the same, bit for bit"


def test_the_settings_name_a_bag_that_must_be_good(tmp_path):
    for bag, words in (
        (BagSettings(file="a.txt"), "end in .bag"),
        (BagSettings(file=str(tmp_path / "none" / "a.bag")), "there is no folder"),
        (BagSettings(replay="nothing"), "none of this name"),
        (BagSettings(replay=str(tmp_path / "a.bag"), rate=0.0), "a speed of 0"),
        (BagSettings(replay=str(tmp_path / "a.bag"), start_s=9.0), "not within"),
    ):
        write_bag(tmp_path / "a.bag", drive_messages(REGISTRY, 0.1))
        with pytest.raises(InputError, match=words):
            RosProgram(tmp_path, RosSettings(bag=bag))


def test_a_bag_in_progress_is_whole_when_the_program_ends(tmp_path):
    made = RosProgram(tmp_path, RosSettings(bag=BagSettings(file=str(tmp_path / "a.bag"))))
    until(lambda: made.now.time > 500_000_000)
    made.close()
    found = look_into(tmp_path / "a.bag")
    assert found.whole
    assert found.counts["/Ego_topic"] >= 20
    assert f"bag: {tmp_path / 'a.bag'}" in made.service.lines
