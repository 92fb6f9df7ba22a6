"""The fixed step over TCP: time, objects and datagrams, by a client that is written from the notes alone."""

from __future__ import annotations

import math
import socket
import struct
from itertools import pairwise

import pytest

from tests.app.program import until
from tests.app.serve.tcp_step_program import served, step_mode, time_of
from tests.system.step_client import (
    CREATE,
    DELETE,
    FAILED,
    GET_TIME,
    INVALID_PARAM,
    INVALID_STATE,
    MANUAL,
    NOT_SUPPORTED,
    SAVE,
    SET_TIME,
    STEP,
    TRAJECTORY,
    TRANSFORM,
    made,
    manual,
    trajectory,
    transform,
)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    with served(tmp_path_factory.mktemp("step"), wheels=True) as program:
        yield program


@pytest.fixture
def client(run):
    """A client that steps the run from its start, with the port of Vehicle Info."""
    with run.client(info=True) as one:
        step_mode(one)
        while not one.no_vehicle():
            pass
        yield one
    with run.client() as last:
        last.done(SET_TIME, struct.pack("<iff", 1, 0.0, 1.0))


def test_steps_pass_by_just_what_they_say(run, client):
    assert time_of(client) == (3, 10.0, 0, 0.0)
    client.step()
    assert run.now.time == 10_000_000
    client.step(25)
    assert run.now.time == 260_000_000
    assert time_of(client) == (3, 10.0, 26, pytest.approx(0.26))
    client.step(0)
    assert run.now.time == 260_000_000


def test_a_step_of_several_ticks_counts_as_one(run, client):
    assert struct.unpack("<Iff", client.done(SET_TIME, struct.pack("<iff", 3, 50.0, 1.0)))[:2] == (3, 50.0)
    client.step(2)
    assert run.now.time == 100_000_000
    assert time_of(client)[2] == 2


def test_a_step_that_is_no_whole_tick_is_answered_as_it_counts(run, client):
    applied = struct.unpack("<Iff", client.done(SET_TIME, struct.pack("<iff", 3, 16.0, 1.0)))
    assert applied[1] == 20.0
    assert any("a step of 16 ms counts as 20 ms" in line for line in run.told)
    client.step()
    assert run.now.time == 20_000_000


def test_each_form_of_time_is_answered_in_kind(client):
    client.done(SET_TIME, struct.pack("<iiif", 1, 60, 5, 2.0))
    mode, fps, physics, speed, *_ = struct.unpack("<IiifQqi", client.done(GET_TIME))
    assert (mode, fps, physics, speed) == (1, 60, 5, 2.0)
    assert struct.unpack("<Iff", client.done(SET_TIME, struct.pack("<iiiii", 2, 20, 10, 1, 1)))[:2] == (2, 20.0)
    mode, step, physics, rtf, control, *_ = struct.unpack("<IiiiiQqi", client.done(GET_TIME))
    assert (mode, step, physics, rtf, control) == (2, 20, 10, 0, 1)
    client.done(SET_TIME, struct.pack("<iiiii", 1, 50, 10, 0, 0))  # which only the third form has
    assert struct.unpack("<IiiiiQqi", client.done(GET_TIME))[:3] == (1, 50, 10)
    assert struct.unpack("<Iff", client.done(SET_TIME, struct.pack("<iiiii", 2, 50, 10, 1, 1)))[:2] == (2, 20.0)
    assert struct.unpack("<IiiiiQqi", client.done(GET_TIME))[1] == 50, "pictures a second in the third form"
    client.done(SET_TIME, struct.pack("<iff", 3, 10.0, 1.0))
    assert len(client.done(GET_TIME)) == 32


def test_time_passes_by_itself_in_the_other_modes(run, client):
    for payload in (struct.pack("<iff", 1, 0.0, 8.0), struct.pack("<iff", 2, 20.0, 0.0)):
        client.done(SET_TIME, payload)
        before = run.now.time
        until(lambda before=before: run.now.time > before + 200_000_000)
        assert client.ask(STEP, struct.pack("<I", 1))[0] == INVALID_STATE
    assert run.program.current.loop.clock.factor == 8.0


@pytest.mark.parametrize(
    "payload",
    [
        struct.pack("<iff", 4, 10.0, 1.0),
        struct.pack("<iff", 0, 10.0, 1.0),
        struct.pack("<iff", 3, 0.0, 1.0),
        struct.pack("<iff", 3, -10.0, 1.0),
        struct.pack("<iff", 3, math.nan, 1.0),
        struct.pack("<iff", 3, 1e9, 1.0),
        struct.pack("<iff", 1, 10.0, 0.0),
        struct.pack("<iff", 1, 10.0, math.inf),
        struct.pack("<iiif", 2, 60, 10, 1.0),
        struct.pack("<iiiii", 3, 20, 10, 1, 1),
        struct.pack("<iiiii", 2, 0, 10, 1, 1),
        struct.pack("<iiiii", 2, 20, 10, -1, 1),
        struct.pack("<iiiii", 2, 20, 10, 1, 2),
        b"",
        bytes(13),
    ],
)
def test_times_that_cannot_be_are_answered_102_in_the_usual_size(run, client, payload):
    result, rest = client.ask(SET_TIME, payload)
    assert (result, len(rest)) == (INVALID_PARAM, 12)
    client.step()
    assert run.now.time == 10_000_000, "the mode is as it was"


def test_vehicle_info_comes_once_a_step_to_who_waits_for_it(client):
    for number in range(1, 4):
        client.step()
        seconds, nanos, name, _ = client.vehicle()
        assert (seconds, nanos, name) == (0, number * 10_000_000, "Car_1")
        assert client.no_vehicle()


def test_vehicle_info_comes_once_a_step_to_who_asks_for_it_by_save_data(client):
    for number in range(1, 6):
        client.step()
        assert client.done(SAVE) == b""
        assert client.vehicle()[1] == number * 10_000_000
        assert client.no_vehicle()
    client.step()
    assert client.no_vehicle(), "SaveData is awaited"
    client.step()
    assert client.vehicle()[1] == 70_000_000, "and no longer, once it has not come"


def test_save_data_alone_brings_what_is_there(client):
    for _ in range(3):
        client.done(SAVE)
        assert client.vehicle()[1] == 0


def test_a_vehicle_is_driven_by_its_id(run, client):
    for _ in range(100):
        client.done(MANUAL, manual(0.5, 0.0, 0.2))
        client.step()
        raw = client.info.recv(2000)
    _, _, _, numbers = client.unpacked(raw)
    vehicle = run.now.vehicle
    assert numbers[:3] == pytest.approx([float(vehicle.x[0]), float(vehicle.y[0]), float(vehicle.z[0])], abs=1e-4)
    assert numbers[5] == pytest.approx(math.degrees(math.remainder(float(vehicle.yaw[0]), math.tau)), abs=1e-4)
    assert numbers[6] == pytest.approx(float(vehicle.velocity_x[0]), abs=1e-5)
    assert numbers[6] > 1.0, "metres a second"
    assert numbers[15:] == pytest.approx([0.5, 0.0, 0.2], abs=1e-6)
    assert float(vehicle.steer[0]) > 0.0, "positive is left"
    count, *places = struct.unpack_from("<i12f", raw, 108)
    assert (count, len(raw)) == (4, 160)
    front_left, rear_left, rear_right = (places[at : at + 3] for at in (0, 6, 9))
    parameter = run.now.parameter
    assert math.dist(rear_left, rear_right) == pytest.approx(float(parameter.rear_track[0]), abs=1e-3)
    assert math.dist(front_left, rear_left) == pytest.approx(float(parameter.wheelbase[0]), abs=0.02)
    middle = [0.5 * (a + b) for a, b in zip(rear_left, rear_right, strict=True)]
    assert middle[:2] == pytest.approx(numbers[:2], abs=0.05)
    yaw = math.radians(numbers[5])
    across = (rear_left[0] - rear_right[0]) * -math.sin(yaw) + (rear_left[1] - rear_right[1]) * math.cos(yaw)
    assert across > 0.0, "the left one comes first"


def test_a_datagram_that_came_before_a_step_counts_in_it(run, client):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        for number in range(20):
            throttle = 0.1 + 0.01 * number
            sock.sendto(struct.pack("<ddd", throttle, 0.0, 0.0), ("127.0.0.1", run.control))
            client.step()
            assert float(run.now.vehicle.target_accelerator[0]) == pytest.approx(throttle)
            client.vehicle()
        for bad in (b"", bytes(23), bytes(25), struct.pack("<ddd", math.nan, 0, 0), bytes(4000)):
            sock.sendto(bad, ("127.0.0.1", run.control))
        client.step()
        assert float(run.now.vehicle.target_accelerator[0]) == pytest.approx(0.29)


@pytest.mark.parametrize("name", ["Ego", "1", "Car_1"])
def test_a_vehicle_has_the_names_of_other_interfaces_too(run, client, name):
    client.done(MANUAL, manual(0.0, 0.3, 0.0, name))
    assert float(run.now.vehicle.target_brake[0]) == pytest.approx(0.3)


@pytest.mark.parametrize("name", ["", "Car_2", "Car_0", "Car_01", "Car_99999999999", "Pedestrian_1", "x" * 5000])
def test_ids_that_nothing_has_are_answered_102(client, name):
    for number, payload in (
        (MANUAL, manual(0, 0, 0, name)),
        (TRANSFORM, transform((0, 0, 0), entity=name)),
        (TRAJECTORY, trajectory([(0, 0, 0, 1)], 1, name)),
        (DELETE, name.encode()),
    ):
        assert client.ask(number, payload) == (INVALID_PARAM, b"")


def beside(run, ahead: float, left: float = 0.0) -> tuple[float, float, float]:
    """A place near the ego vehicle."""
    vehicle = run.now.vehicle
    yaw = float(vehicle.yaw[0])
    return (
        float(vehicle.x[0]) + ahead * math.cos(yaw) - left * math.sin(yaw),
        float(vehicle.y[0]) + ahead * math.sin(yaw) + left * math.cos(yaw),
        float(vehicle.z[0]),
    )


def created(client, payload: bytes) -> str:
    rest = client.done(CREATE, payload)
    (size,) = struct.unpack_from("<I", rest)
    assert len(rest) == 4 + size
    return rest[4:].decode()


def test_objects_are_made_named_driven_and_removed(run, client):
    assert created(client, made(1, beside(run, 30.0), model=5)) == "Car_2"
    assert created(client, made(2, beside(run, 5.0, 6.0))) == "Pedestrian_1"
    assert created(client, made(3, beside(run, 60.0))) == "Obstacle_1"
    assert created(client, made(4, beside(run, 70.0))) == "Obstacle_2"
    assert any("stands for it" in line for line in run.told), "no Tucson is in the catalogue"
    assert len(run.now.egos) == 2
    client.done(MANUAL, manual(0.6, 0.0, 0.0, "Car_2"))
    client.step(100)
    assert float(run.now.vehicle.velocity_x[1]) > 1.0
    assert float(run.now.vehicle.velocity_x[0]) == pytest.approx(0.0)
    assert client.ask(MANUAL, manual(0, 0, 0, "Pedestrian_1"))[0] == 200
    client.done(DELETE, b"Car_2")
    assert client.ask(MANUAL, manual(0, 0, 0, "Car_2"))[0] == INVALID_PARAM
    assert created(client, made(1, beside(run, 30.0), model=0)) == "Car_2", "the name is free again"


@pytest.mark.parametrize(
    ("payload", "result"),
    [
        (made(0, (0, 0, 0)), INVALID_PARAM),
        (made(6, (0, 0, 0)), INVALID_PARAM),
        (made(5, (0, 0, 0)), NOT_SUPPORTED),
        (made(1, (0, 0, 0), model=41), INVALID_PARAM),
        (made(1, (0, 0, 0), model=-1), INVALID_PARAM),
        (made(1, (0, 0, 0), mode=3), INVALID_PARAM),
        (made(1, (math.nan, 0, 0)), INVALID_PARAM),
        (made(1, (0, 0, 0), (0, 0, math.inf)), INVALID_PARAM),
        (made(1, (2e6, 0, 0)), INVALID_PARAM),
    ],
)
def test_objects_that_cannot_be_are_refused_in_the_usual_size(client, payload, result):
    assert client.ask(CREATE, payload) == (result, bytes(4))


def test_what_the_world_refuses_is_answered_200_and_the_run_says_why(run, client):
    vehicle = run.now.vehicle
    place = (float(vehicle.x[0]), float(vehicle.y[0]), float(vehicle.z[0]))
    result, rest = client.ask(CREATE, made(1, place))
    assert (result, rest) == (FAILED, bytes(4))
    assert any("CreateObject" in line for line in run.told)
    assert len(run.now.egos) == 1


def test_a_transform_puts_a_vehicle_and_a_command_drives_it_on(run, client):
    place = beside(run, 3.0)
    client.done(TRANSFORM, transform(place, (0.0, 0.0, 90.0), steer=0.5, speed=4.0))
    client.step()
    _, _, _, numbers = client.vehicle()
    assert numbers[:2] == pytest.approx(place[:2], abs=1e-3)
    assert numbers[5] == pytest.approx(90.0, abs=1e-3)
    assert numbers[6] == pytest.approx(4.0, abs=1e-3)
    for _ in range(5):
        client.done(MANUAL, manual(0.8, 0.0, 0.0))
        client.step(20)
        client.vehicle()
    assert float(run.now.vehicle.velocity_x[0]) > 0.5, "it has physics again"
    short = struct.pack("<I5s7f", 5, b"Car_1", *place, 0.0, 0.0, 90.0, 0.0)
    client.done(TRANSFORM, short)  # as clients had it before they sent a speed


def test_a_trajectory_is_kept_exactly_to_its_times(run, client):
    start = beside(run, 0.0)
    points = [(start[0] + 2.0 * t, start[1] + t * t, start[2], t) for t in (0.0, 0.5, 1.0, 2.0)]
    client.done(TRAJECTORY, trajectory(points, 1))
    for tick in range(1, 201):
        client.step()
        client.vehicle()
        t = tick * 0.01
        before, after = next((a, b) for a, b in pairwise(points) if t <= b[3] + 1e-9)
        share = (t - before[3]) / (after[3] - before[3])
        want = [a + share * (b - a) for a, b in zip(before[:2], after[:2], strict=True)]
        assert [float(run.now.vehicle.x[0]), float(run.now.vehicle.y[0])] == pytest.approx(want, abs=1e-6), tick
    client.step(5)
    assert float(run.now.vehicle.x[0]) == pytest.approx(points[-1][0])


def test_a_trajectory_in_a_run_that_has_begun_again_is_a_new_one(run, client):
    for _ in range(2):
        x, y, z = beside(run, 0.0)
        client.done(TRAJECTORY, trajectory([(x, y, z, 0.0), (x + 5.0, y, z, 0.5)], 1))
        client.step(80)
        assert float(run.now.vehicle.x[0]) == pytest.approx(x + 5.0)
        step_mode(client)


def test_a_trajectory_is_driven_with_the_speeds_of_its_times(run, client):
    x, y, z = beside(run, 0.0)
    yaw = float(run.now.vehicle.yaw[0])
    speed, points = 5.0, []
    for number in range(60):  # twice as many as the driver takes at a time
        ahead = 1.0 * number
        points.append((x + ahead * math.cos(yaw), y + ahead * math.sin(yaw), z, ahead / speed))
    client.done(TRAJECTORY, trajectory(points, 2))
    client.step(700)
    assert float(run.now.vehicle.velocity_x[0]) == pytest.approx(speed, abs=0.7)
    client.step(1500)
    gone = math.dist((x, y), (float(run.now.vehicle.x[0]), float(run.now.vehicle.y[0])))
    assert gone == pytest.approx(59.0, abs=3.0)
    assert float(run.now.vehicle.velocity_x[0]) == pytest.approx(0.0, abs=0.1)


@pytest.mark.parametrize(
    ("points", "mode", "result"),
    [
        ([], 1, INVALID_PARAM),
        ([(0, 0, 0, 0)], 1, INVALID_PARAM),
        ([(0, 0, 0, 1), (1, 0, 0, 1)], 1, INVALID_PARAM),
        ([(0, 0, 0, 0), (1, 0, 0, 1)], 3, INVALID_PARAM),
        ([(0, 0, 0, -1), (1, 0, 0, 1)], 2, INVALID_PARAM),
        ([(0, 0, math.nan, 0), (1, 0, 0, 1)], 2, INVALID_PARAM),
    ],
)
def test_trajectories_that_cannot_be_are_refused(client, points, mode, result):
    assert client.ask(TRAJECTORY, trajectory(points, mode))[0] == result


def test_what_only_vehicles_can_do_is_not_supported_for_others(run, client):
    walker = created(client, made(2, beside(run, 5.0, 6.0)))
    assert client.ask(TRAJECTORY, trajectory([(0, 0, 0, 0), (1, 0, 0, 1)], 2, walker))[0] == NOT_SUPPORTED
    place = beside(run, 5.0, 8.0)
    client.done(TRANSFORM, transform(place, entity=walker))
    client.step()
    assert float(run.now.people.state.x[0]) == pytest.approx(place[0], abs=1e-3)


def test_a_collision_is_told_once_with_what_was_hit(run, client):
    events = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    events.bind(("127.0.0.1", run.collision))
    events.setblocking(False)
    try:
        box = created(client, made(3, beside(run, 8.0)))
        client.done(MANUAL, manual(1.0, 0.0, 0.0))
        told = []
        for _ in range(400):
            client.step()
            try:
                told.append((events.recv(9000), run.now.time))
            except BlockingIOError:
                continue
        raw, time = told[0]
        name, count = struct.unpack_from("<24sI", raw)
        assert (name.rstrip(b"\0"), count, len(raw)) == (b"Car_1", 1, 28 + 112)
        other, kind, seconds, nanos, *numbers = struct.unpack_from("<24sIqi18f", raw, 28)
        assert (other.rstrip(b"\0").decode(), kind) == (box, 3)
        assert 0 <= time - (seconds * 10**9 + nanos) <= 10_000_000
        assert numbers[6:9] == pytest.approx([1.0, 1.0, 1.0])
        assert len(told) < 30, "not in each tick of a touch"
    finally:
        events.close()


def test_what_dorosim_does_not_have_is_answered_202(client):
    for number in (0x1003, 0x1601, 0x1602, 0x2000, 0x1201 << 8):
        payload = struct.pack("<I", 2) if number == 0x1003 else struct.pack("<II", 0, 0)
        payload = struct.pack("<I", 0) if number == 0x1601 else payload
        assert client.ask(number, payload)[0] == NOT_SUPPORTED, hex(number)
    assert struct.unpack("<I", client.done(0x1001)) == (4,)
    assert struct.unpack("<I", client.done(0x1002)) == (1,)


def test_another_map_is_another_run(run, client):
    assert client.ask(0x1004, struct.pack("<I7s", 7, b"nowhere"))[0] == INVALID_PARAM
    client.step(3)
    client.done(0x1004, struct.pack("<I4s", 4, b"town"))
    assert run.now.time == 0
