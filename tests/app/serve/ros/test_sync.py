"""Synchronous mode by services: users step the run together."""

from __future__ import annotations

import json
import math
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from operator import attrgetter

import pytest

from dorosim.endpoint.loop.standstill import Standstill
from dorosim.world.actor.command import PauseRun
from dorosim.world.mount.command import AddSensor, RemoveAllSensors
from dorosim.world.mount.setting import ImuSettings
from dorosim.world.snapshot import EGO
from dorosim.world.vehicle.command import DriveByKeyboard, PlaceVehicle, SelectCamera, SelectMode, TakeKeyboard
from dorosim.world.vehicle.mode import ControlMode, Gear
from tests.app.program import until
from tests.app.serve.ros.program import Listener, RosProgram
from tests.recording.bag_maker import drive_messages, ego_at, write_bag
from tests.system.scenario_file import FILE

FRAME = 20_000_000


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    made = RosProgram(tmp_path_factory.mktemp("program"))
    (made.data / "Scenario" / "first.json").write_text(json.dumps(FILE))
    yield made
    made.close()


@pytest.fixture
def program(whole):
    """A program in which time passes by the clock."""
    yield whole
    for user in list(users(whole)):
        whole.call("/SyncModeCmd", user_id=user, start_sync_mode=False)
    if whole.service_host.pace.synchronous:
        whole.service_host.pace.release()
    whole.do([PauseRun(paused=False)])


def users(program) -> list[str]:
    history = program.hub.place.situate("").history.get("sync")
    return [] if history is None else [name.removeprefix("ROS user ") for name in history.names]


def begin(program, user: str = "me", step: int = 20) -> int:
    told = program.call("/SyncModeCmd", user_id=user, start_sync_mode=True, time_step=step)
    assert (told.user_id, told.result, told.time_step) == (user, True, step or 20)
    return told.frame


def wait(program, user: str, frame: int):
    return program.call("/SyncModeWaitForTick", user_id=user, frame=frame)


def stands(program) -> bool:
    """Whether time stands: commands that are waited for are done in ticks of no duration then."""
    before = program.now.time
    for _ in range(3):
        program.do([SelectCamera(EGO)])
    return program.now.time == before


@pytest.mark.parametrize("step", [20, 40, 100])
def test_one_user_steps_frame_by_frame(program, step):
    """frame = previous + time_step / 20 (facts/ros-grpc-mgeo.md, 1.4)."""
    frame = begin(program, step=step)
    assert frame == program.now.time // FRAME
    assert stands(program)
    for _ in range(5):
        before = program.now.time
        told = wait(program, "me", frame + step // 20)
        frame += step // 20
        assert (told.tick_status, told.pause_status, told.frame) == (True, False, frame)
        assert program.now.time == before + step * 1_000_000
        stamp = 1000 * 10**9 + program.now.time
        assert told.time == f"{stamp // 10**9}.{stamp % 10**9:09d}"
        status = told.vehicle_status
        assert (status.header.stamp.sec, status.header.stamp.nanosec) == divmod(stamp, 10**9)
        assert status.position.x == pytest.approx(float(program.now.vehicle.x[0]))
    for past in (frame, frame, 0):
        frame += step // 20
        assert wait(program, "me", past).frame == frame, "a frame that has come asks for the next one"
    info = program.status("/SyncModeInfo")
    assert (info.master_id, info.status, info.frame, info.can_send_tick) == ("me", True, frame, True)
    told = program.call("/SyncModeCmd", user_id="me", start_sync_mode=False)
    assert told.result
    assert not stands(program), "time passes by the clock again"
    info = program.status("/SyncModeInfo")
    assert (info.master_id, info.status, info.can_send_tick) == ("", False, False)


def test_a_user_without_an_id_is_given_one_and_is_known_by_it(program):
    """Of whoever calls, and steps with that id or without one."""
    told = program.call("/SyncModeCmd", start_sync_mode=True)
    assert told.result
    assert told.user_id
    assert users(program) == [told.user_id]
    assert program.status("/SyncModeInfo").master_id == told.user_id
    frame = wait(program, told.user_id, told.frame + 1).frame
    assert wait(program, "", frame + 1).frame == frame + 1, "the same one steps"
    assert program.call("/SyncModeCmd", start_sync_mode=True).user_id == told.user_id
    assert users(program) == [told.user_id]
    ended = program.call("/SyncModeCmd", start_sync_mode=False)
    assert (ended.user_id, ended.result) == (told.user_id, True)
    assert not program.service_host.pace.synchronous


def test_ids_that_are_given_are_nobody_elses(program):
    begin(program, "user1")
    told = program.call("/SyncModeCmd", start_sync_mode=True)
    assert told.user_id not in ("", "user1")
    assert set(users(program)) == {"user1", told.user_id}
    program.call("/SyncModeCmd", user_id="user1", start_sync_mode=False)
    program.call("/SyncModeCmd", user_id=told.user_id, start_sync_mode=False)
    assert not program.service_host.pace.synchronous


def test_control_is_applied_in_the_step(program):
    frame = begin(program)
    x, y, z, heading = (float(column[0]) for column in attrgetter("x", "y", "z", "yaw")(program.now.vehicle))
    program.do(
        [SelectMode(EGO, ControlMode.AUTO, Gear.D), PlaceVehicle(EGO, (x, y, z), (0.0, 0.0, heading), 0.0, Gear.D)]
    )
    speeds = []
    for _ in range(50):
        fields = {"longlCmdType": 1, "accel": 0.8, "steering": 0.1}
        command = program.registry.make("morai_msgs/CtrlCmd", **fields)
        assert program.call("/SyncModeCtrlCmd", frame=frame, command=command, sensor_capture=False).result
        frame += 1
        speeds.append(wait(program, "me", frame).vehicle_status.velocity.x)
    assert speeds == sorted(speeds)
    assert speeds[-1] > 1.0, "it accelerates for a second"
    assert program.now.vehicle.steer[0] > 0.02
    again = [wait(program, "me", frame := frame + 1).vehicle_status.velocity.x for _ in range(3)]
    assert again == sorted(again), "the last command holds"


def test_two_users_share_the_barrier(program):
    """Time comes to a frame when both have waited for it; each step is told to both with the same snapshot."""
    frame = begin(program, "one")
    assert begin(program, "two", 0) == frame
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(wait, program, "one", frame + 1)
        assert stands(program)
        assert not first.done()
        second = wait(program, "two", frame + 1)
        assert first.result(60.0).frame == second.frame == frame + 1

        seen = {"one": [], "two": []}

        def drive(user: str) -> None:
            for number in range(frame + 2, frame + 40):
                told = wait(program, user, number)
                seen[user].append((told.tick_status, told.frame, told.time))

        for done in [pool.submit(drive, user) for user in seen]:
            done.result(60.0)
    assert seen["one"] == seen["two"]
    assert [number for _, number, _ in seen["one"]] == list(range(frame + 2, frame + 40))
    assert program.status("/SyncModeInfo").master_id == "one"
    program.call("/SyncModeCmd", user_id="one", start_sync_mode=False)
    assert program.status("/SyncModeInfo").master_id == "two"
    assert wait(program, "two", frame + 40).tick_status, "who is left goes on alone"


def test_a_user_who_leaves_lets_the_other_go_on(program):
    frame = begin(program, "one")
    begin(program, "two")
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(wait, program, "two", frame + 1)
        assert stands(program)
        program.call("/SyncModeCmd", user_id="one", start_sync_mode=False)
        assert waiting.result(60.0).frame == frame + 1
    assert program.service_host.pace.synchronous


def test_requests_that_cannot_be_done_have_a_false_result(program):
    for service, fields in (
        ("/SyncModeCtrlCmd", {"frame": 1}),
        ("/SyncModeSetGear", {"frame": 1, "gear": 4}),
        ("/SyncModeRemoveObject", {"unique_id": 5}),
        ("/SyncModeCmd", {"user_id": "me", "start_sync_mode": False}),
        ("/SyncModeCmd", {"user_id": "me", "start_sync_mode": True, "time_step": 30}),
        ("/SyncModeCmd", {"user_id": "me", "start_sync_mode": True, "time_step": 4_000_000_000}),
    ):
        assert not program.call(service, **fields).result, service
        assert not program.service_host.pace.synchronous
    told = wait(program, "me", 10**6)
    assert not told.tick_status
    frame = begin(program, step=40)
    for number in (frame + 1, 2**64 - 1, 2**64 - 2):
        assert not wait(program, "me", number).tick_status
    assert not program.call("/SyncModeCmd", user_id="you", start_sync_mode=True, time_step=20).result
    assert not program.call("/SyncModeCtrlCmd", frame=frame + 3).result
    assert not program.call("/SyncModeSetGear", frame=frame, gear=77).result
    assert not program.call("/SyncModeAddObject", name="no such thing").result
    assert not program.call("/SyncModeRemoveObject", unique_id=30_000).result
    assert not program.call("/SyncModeRemoveObject", unique_id=EGO).result
    assert not program.call("/SyncModeScenarioLoad", file_name="../none").result
    command = program.registry.make("morai_msgs/CtrlCmd", longlCmdType=9)
    assert not program.call("/SyncModeCtrlCmd", frame=frame, command=command).result
    assert wait(program, "me", frame + 2).frame == frame + 2, "and all goes on"


def test_gear_scenario_and_objects(program):
    frame = begin(program)
    assert program.call("/SyncModeSetGear", frame=frame, gear=2).result
    assert program.now.vehicle.gear[0] == Gear.R
    before = program.now.time
    assert program.call(
        "/SyncModeScenarioLoad", frame=frame, file_name="first", delete_all=True, load_ego_vehicle_data=True
    ).result
    assert program.now.vehicle.x[0] == pytest.approx(-200.0, abs=10.0)
    network = program.current.loop.scene.network
    link = int(network.link_length.argmax())
    counts = [len(program.now.traffic), len(program.now.people), len(program.now.obstacles)]
    for name, share in (("2015_Kia_K5", 0.4), ("adult_male", 0.5), ("cone", 0.6)):
        pose = network.pose_at(link, share * float(network.link_length[link]))
        place = program.registry.make("geometry_msgs/Vector3", **dict(zip("xyz", pose.point[0].tolist(), strict=True)))
        heading = math.degrees(float(pose.heading[0]))
        assert program.call("/SyncModeAddObject", frame=frame, name=name, position=place, heading=heading).result, name
    assert [len(program.now.traffic), len(program.now.people), len(program.now.obstacles)] == [n + 1 for n in counts]
    assert program.now.time == before, "none of it takes time"
    for actor in (int(program.now.traffic.id[-1]), int(program.now.obstacles.state.id[-1])):
        assert program.call("/SyncModeRemoveObject", frame=frame, unique_id=actor).result
    assert [len(program.now.traffic), len(program.now.obstacles)] == [counts[0], counts[2]]
    assert wait(program, "me", frame + 1).frame == frame + 1


def test_the_keyboard_does_not_drive(program):
    program.do([SelectMode(EGO, ControlMode.KEYBOARD)])
    frame = begin(program)
    assert program.now.vehicle.control_mode[0] == ControlMode.AUTO
    program.do([SelectMode(EGO, ControlMode.KEYBOARD)])
    command = program.registry.make("morai_msgs/CtrlCmd", longlCmdType=1, brake=1.0)
    assert program.call("/SyncModeCtrlCmd", frame=frame, command=command).result
    assert program.now.vehicle.control_mode[0] == ControlMode.AUTO


def test_who_is_at_the_keyboard_of_the_page_lets_go(program):
    """At the beginning, and again where the page has not noticed yet."""
    program.do([TakeKeyboard(EGO), DriveByKeyboard(EGO, accelerator=1.0)])
    frame = begin(program)
    assert (program.now.vehicle.seized[0], program.now.vehicle.control_mode[0]) == (0, ControlMode.AUTO)
    program.do([TakeKeyboard(EGO), DriveByKeyboard(EGO, accelerator=1.0)])
    command = program.registry.make("morai_msgs/CtrlCmd", longlCmdType=1, brake=0.5)
    assert program.call("/SyncModeCtrlCmd", frame=frame, command=command).result
    assert (program.now.vehicle.seized[0], program.now.vehicle.target_brake[0]) == (0, 0.5)


def test_a_paused_run_says_so(program):
    frame = begin(program)
    program.do([PauseRun(paused=True)])
    told = wait(program, "me", frame + 1)
    assert (told.tick_status, told.pause_status, told.frame) == (False, True, frame)
    info = program.status("/SyncModeInfo")
    assert (info.status, info.can_send_tick) == (True, False)


def test_sensors_are_captured_at_chosen_frames(program):
    program.do([AddSensor(EGO, settings=ImuSettings(), sensor=4, position=(1.0, 0.0, 0.5))])
    frame = begin(program)
    for number in range(6):
        capture = number in (2, 4)
        assert program.call("/SyncModeCtrlCmd", frame=frame, sensor_capture=capture).result
        frame += 1
        wait(program, "me", frame)
    folder = program.data / "SensorData" / "Sync"
    until(lambda: len({file.name[:8] for file in folder.rglob("*") if file.is_file()}) == 2)
    program.do([RemoveAllSensors()])


def test_the_info_topic_comes_with_every_step(program):
    listener = Listener("/SyncModeInfo")
    frame = begin(program)
    program.hub.join(listener)
    try:
        wait(program, "me", frame + 3)
        until(lambda: listener.posts and listener.posts[-1].message.frame == frame + 3)
        assert len({post.message.frame for post in listener.posts}) >= 3
    finally:
        program.hub.leave(listener)


def test_a_replay_goes_with_the_steps(program):
    write_bag(program.data / "Recording" / "drive.bag", drive_messages(program.registry, 2.0))
    frame = begin(program)
    assert program.call("/Morai_SimProc", sim_process_status=1, replay_option=1, rosbag_file_name="drive").result
    assert stands(program), "a replay waits for the steps, too"
    for number in range(1, 6):
        assert wait(program, "me", frame + 10 * number).tick_status
        # the first tick of 10 ms shows the first moment
        moment = 0.2 * number - 0.01
        assert program.service_host.bags.status.moment == pytest.approx(moment * 1e9, abs=1.0)
        x, y, _ = ego_at(moment)
        assert (program.now.vehicle.x[0], program.now.vehicle.y[0]) == pytest.approx((x, y), abs=1e-3)
    assert program.call("/Morai_SimProc", sim_process_status=0x20).result
    assert wait(program, "me", frame + 51).tick_status


def test_a_user_who_dies_is_left_behind(program):
    """The others wait for it as long as the settings say, then go on."""
    program.current.loop.gate.step_timeout = 0.3
    try:
        frame = begin(program, "dead")
        begin(program, "alive")
        began = time.monotonic()
        assert wait(program, "alive", frame + 1).tick_status
        assert time.monotonic() - began > 0.2
    finally:
        program.current.loop.gate.step_timeout = 10.0


def test_the_mode_of_a_user_who_died_ends_with_the_last_one(program):
    """Who began it is gone: the other one may step otherwise, and its goodbye lets time pass by the clock."""
    program.current.loop.gate.step_timeout = 0.3
    try:
        frame = begin(program, "dead")
        begin(program, "alive")
        assert wait(program, "alive", frame + 1).tick_status
        assert begin(program, "alive", 40) == frame + 1
        assert program.call("/SyncModeCmd", user_id="alive", start_sync_mode=False).result
        assert not program.service_host.pace.synchronous
        assert not stands(program)
    finally:
        program.current.loop.gate.step_timeout = 10.0


def test_a_mode_that_somebody_else_began_anew_is_not_ended_by_ros(program):
    begin(program, "me")
    program.service_host.pace.release()
    program.service_host.pace.synchronise(FRAME)
    begin(program, "me")
    assert program.call("/SyncModeCmd", user_id="me", start_sync_mode=False).result
    assert program.service_host.pace.synchronous


def test_steps_of_ros_and_grpc_share_the_gate(program):
    frame = begin(program)
    gate, done = program.current.loop.gate, threading.Event()
    gate.step("ipv4:127.0.0.1:5", 0, 60.0)
    with ThreadPoolExecutor(2) as pool:
        mine = pool.submit(wait, program, "me", frame + 1)
        assert stands(program)
        assert gate.step("ipv4:127.0.0.1:5", FRAME, 60.0) == (frame + 1) * FRAME + program.now.time % FRAME
        assert mine.result(60.0).tick_status
    gate.leave("ipv4:127.0.0.1:5")
    del done


def test_topics_go_on_while_nobody_steps(program):
    """After ten seconds, at the rates of a pause."""
    begin(program)
    ear, watch = Listener("/SyncModeInfo", "/Ego_topic", "/tf"), [0.0]
    program.hub.join(ear)
    standstill, program.current.loop.standstill = program.current.loop.standstill, Standstill(lambda: watch[0])
    try:
        loop, ticks = program.current.loop, program.now.tick
        until(lambda: loop.standstill._since is not None)
        for waited, topics in ((9.5, set()), (10.5, {"/SyncModeInfo", "/Ego_topic"})):
            ear.posts.clear()
            watch[0] = waited
            until(lambda topics=topics: {post.topic for post in ear.posts} >= topics)
            assert {post.topic for post in ear.posts} == topics
            (info,) = [post.message for post in ear.posts if post.topic == "/SyncModeInfo"][:1] or [None]
            assert info is None or (info.status, info.can_send_tick, info.master_id) == (True, True, "me")
        until(lambda: any("waits for ROS user me to step" in line for line in program.told))
        assert program.now.tick == ticks
    finally:
        program.current.loop.standstill = standstill
        program.hub.leave(ear)
