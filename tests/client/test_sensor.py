"""Sensors of the SDK against a simulator in a process of its own: read, streamed, listened to, in lockstep."""

from __future__ import annotations

import asyncio
import math
import threading
import time
from itertools import islice, pairwise

import numpy as np
import pytest

from dorosim.client import (
    AsyncClient,
    CameraPicture,
    ClientError,
    GpsFix,
    ImuSample,
    PlanarScan,
    PointCloud,
    RadarDetections,
    RefusedError,
    SeenObjects,
    UltrasonicEcho,
    connect,
)
from dorosim.client.quantity import turned
from dorosim.client.shared_memory import SharedSlots
from tests.client.program import program
from tests.timing import wait_for

SMALL = {"width": 160, "height": 120}


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with program(tmp_path_factory.mktemp("sensors"), "--vehicles", "10") as found:
        yield found


@pytest.fixture
def client(address):
    with connect(address, timeout=120.0) as made:
        yield made
        for one in made.sensors():
            made.sensor(one.id).remove()


def test_each_kind_of_sensor_reads_at_once(client):
    readings = [
        client.add_camera(**SMALL, boxes=True).read(),
        client.add_lidar().read(),
        client.add_planar_lidar(range=30.0).read(),
        client.add_gps().read(),
        client.add_imu().read(),
        client.add_radar(clutter=0.0).read(),
        client.add_ultrasonic().read(),
        client.add_ground_truth(range_max=300.0).read(),
    ]
    kinds = [CameraPicture, PointCloud, PlanarScan, GpsFix, ImuSample, RadarDetections, UltrasonicEcho, SeenObjects]
    assert [type(one) for one in readings] == kinds
    picture, cloud, scan, fix, sample, radar, echo, seen = readings
    assert picture.image.shape == (120, 160, 3)
    assert picture.image.std() > 5.0
    assert picture.boxes.bounds.shape == (len(picture.boxes.actor), 4)
    assert cloud.xyz.shape == (len(cloud), 3)
    assert len(cloud) > 5000
    assert set(cloud.ring.tolist()) == set(range(16))
    assert 0.0 <= cloud.times.min() < cloud.times.max() < 0.2
    assert cloud.intensity.max() <= 255.0
    assert scan.distance.shape == (360,)
    assert 0.0 < scan.distance.min() <= scan.distance.max() <= 30.0
    assert fix.valid
    assert 0.5 < fix.latitude < 0.7  # Korea
    assert sample.acceleration[2] == pytest.approx(9.81, abs=0.5)
    assert radar.point.shape == (len(radar), 3)
    assert echo.distance > 0.0
    assert len(seen) == len(seen.kind) > 0
    assert "Ego" not in seen.actor
    assert seen.position_in_map[0] == pytest.approx(seen.in_map(seen.position_in_sensor)[0], abs=1e-6)
    for one in readings:
        assert repr(one).startswith(f"<{type(one).__name__}")
        assert len(repr(one)) < 500


def test_a_reading_has_the_pose_of_its_sensor(client):
    client.hold("Ego")
    camera = client.add_camera(**SMALL, position=(1.0, 0.5, 1.5), rotation=(0.0, 0.1, math.pi / 2))
    picture, ego = camera.picture(), client.state()
    ahead = np.array([math.cos(ego.rotation[2]), math.sin(ego.rotation[2])])
    left = np.array([-ahead[1], ahead[0]])
    assert np.allclose(picture.position, np.add(ego.position, turned((1.0, 0.5, 1.5), ego.rotation)), atol=0.01)
    axis = picture.pose[:3, 0]
    assert axis[:2] @ left == pytest.approx(1.0, abs=0.02)
    assert picture.stamp > 0


@pytest.mark.parametrize("image", ["depth", "semantic", "instance"])
def test_pictures_of_other_kinds_have_their_numbers(client, image):
    camera = client.add_camera(**SMALL, image=image)
    values = getattr(camera.picture(), image)
    assert values.shape == (120, 160)
    assert len(np.unique(values)) > 1 or image == "instance"
    assert camera.picture().image.shape == (120, 160, 3)


@pytest.mark.parametrize("shared", [True, False])
def test_pictures_come_in_order_by_memory_and_by_messages_alike(client, shared, monkeypatch):
    if not shared:

        def refuse(*_):
            raise OSError("not on this machine")

        monkeypatch.setattr(SharedSlots, "__init__", refuse)
    camera = client.add_camera(**SMALL, rate=20)
    pictures = list(islice(camera, 5))
    times = [one.time for one in pictures]
    assert times == sorted(set(times))
    assert all(one.image.shape == (120, 160, 3) and one.sensor == camera.id for one in pictures)
    feed = client.feed((camera.id,))
    for _ in range(4):
        feed.take(30.0)
    assert (feed.by_memory > 0) is shared
    feed.close()


def _next_reading(feed):
    """The next reading of a feed of one sensor."""
    tick = feed.take(30.0)
    while not tick.readings:
        tick = feed.take(30.0)
    return tick.readings[0]


def test_memory_and_messages_hold_the_same_picture(client, monkeypatch):
    camera = client.add_camera(**SMALL, rate=10)
    with client.synchronous(0.1):
        mine = client.feed((camera.id,), every=True)
        mine.wait_begun(30.0)
        other = client.feed((camera.id,), every=True)
        monkeypatch.setattr(other, "_accept", lambda _: None)
        other.wait_begun(30.0)
        found = []
        for _ in range(4):
            client.tick()
            one, same = _next_reading(mine), _next_reading(other)
            while one.time < same.time:  # the first feed has begun before the second
                one = _next_reading(mine)
            found.append((one, same))
    assert mine.by_memory > 0
    assert other.by_memory == 0
    for one, same in found:
        assert one.time == same.time
        assert np.array_equal(one.image, same.image)
    mine.close()
    other.close()


def test_a_slow_program_gets_fewer_pictures_and_never_older_ones(client):
    camera = client.add_camera(**SMALL, rate=30)
    lags, times = [], []
    for picture in camera:
        now = client.time()
        times.append(picture.time)
        lags.append(now - picture.time)
        if len(times) == 5:
            break
        wait_for(lambda begun=now: client.time() > begun + 1.0)
    # pictures that had waited would be a thirtieth of a second apart, and the last one four seconds old
    assert np.diff(times).min() > 0.3
    assert np.median(lags) < 1.0


def test_a_function_is_called_with_each_reading_until_it_is_stopped(client):
    imu, heard, enough = client.add_imu(rate=50.0), [], threading.Event()

    def hear(sample):
        heard.append(sample)
        if len(heard) == 5:
            enough.set()

    imu.listen(hear)
    assert enough.wait(60.0)
    imu.stop()
    count = len(heard)
    threading.Event().wait(0.2)
    assert len(heard) <= count + 1


def test_a_loop_ends_when_its_sensor_is_removed_and_later_reads_are_refused(client):
    gps = client.add_gps(rate=10.0)
    loop = iter(gps)
    next(loop)
    gps.remove()
    assert list(loop) == []
    with pytest.raises(RefusedError, match=f"no sensor '{gps.id}'"):
        gps.read()
    with pytest.raises(RefusedError, match=f"there is no sensor {gps.id}"):
        next(iter(gps))


def test_a_loop_ends_with_its_client(address):
    client = connect(address)
    imu = client.add_imu()
    loop = iter(imu)
    next(loop)
    client.close()
    assert list(loop) == []
    with connect(address) as other:
        other.sensor(imu.id).remove()


def test_turns_of_a_lidar_follow_one_another_without_gap(client):
    lidar = client.add_lidar(ideal=True)
    clouds = list(islice(lidar, 3))
    for before, after in pairwise(clouds):
        turns = round((after.time - before.time) / 0.1)
        assert after.start - before.start == pytest.approx(turns * 0.1, abs=0.01)
        assert float(before.times.max()) == pytest.approx(0.1, abs=0.015)


def frames_of(client, camera, lidar, imu, count):
    with client.synchronous(0.05):
        return [
            (frame.moment, frame[camera].image.copy(), frame[lidar].points.copy(), frame.all(imu), frame)
            for frame in islice(client.frames(camera, lidar, imu), count)
        ]


def test_frames_have_every_sensor_at_one_tick_and_lose_nothing(client):
    camera, lidar, imu = client.add_camera(**SMALL, rate=20), client.add_lidar(), client.add_imu(rate=50.0)
    found = frames_of(client, camera, lidar, imu, 4)
    times = [moment.time for moment, *_ in found]
    assert np.diff(times) == pytest.approx([0.1] * 3)
    for before, after in pairwise(found):
        assert len(after[3]) == 5
        assert after[3][0].time - before[3][-1].time == pytest.approx(0.02)
        frame = after[4]
        assert len(frame.all(camera)) == 2
        picture, cloud, sample = frame
        assert times[0] < picture.time <= frame.time
        assert (picture, cloud, sample) == (frame[camera], frame[lidar], frame[imu])
        assert len(cloud) > 5000


def test_frames_are_the_same_when_the_run_begins_again_with_the_same_seed(client):
    def play(seed):
        client.start(seed=seed)
        sensors = client.add_camera(**SMALL, rate=20, noise=True), client.add_lidar(), client.add_imu(rate=50.0)
        found = []
        with client.synchronous(0.05):
            for sensor in sensors:
                sensor.remove()
            client.start(seed=seed)
            sensors = client.add_camera(**SMALL, rate=20, noise=True), client.add_lidar(), client.add_imu(rate=50.0)
            for picture, cloud, _ in islice(client.frames(*sensors), 3):
                found += [picture.image.tobytes(), cloud.points.tobytes()]
        return found

    first = play(5)
    assert first == play(5)
    assert first != play(6)


def test_frames_tell_what_is_wrong(client):
    gps = client.add_gps(rate=10.0)
    with pytest.raises(ClientError, match="not in synchronous mode"):
        next(client.frames(gps))
    with client.synchronous(0.05):
        with pytest.raises(ClientError, match="one sensor or more"):
            next(client.frames())
        with pytest.raises(ClientError, match="each of them once"):
            next(client.frames(gps, gps))
        loop = client.frames(gps)
        next(loop)
        gps.remove()
        with pytest.raises(ClientError, match=f"there is no sensor {gps.id}|not come in|have not read"):
            for _ in islice(loop, 20_000):
                pass


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda client: client.add_camera(width=8192, height=8192), "8192 x 8192 pixels are more than"),
        (lambda client: client.add_camera(near=5.0, far=4.0), "near is not nearer than far"),
        (lambda client: client.add_lidar(rate=50.0), "turns 5 to 20 times a second"),
        (lambda client: client.add_imu(rate=0.0), "0 is not a valid rate; give"),
        (lambda client: client.add_imu(rate=math.nan), "rate_hz is NaN"),
        (lambda client: client.add_camera("nobody"), "there is no vehicle 'nobody'"),
        (lambda client: client.add_camera(position=(math.nan, 0.0, 0.0)), "position.x is NaN"),
        (lambda client: client.add_camera(position=(1e6, 0.0, 0.0)), "farther than 100 m"),
        (lambda client: client.add_camera(position=(1.0,)), "is not a valid vector"),
        (lambda client: client.add_camera(rotation=90.0), r"angles are in radians: give math.radians\(90\)"),
        (lambda client: client.sensor(99), "there is no sensor '99' on 'Ego'"),
        (lambda client: client.set_hour(25.0), "25.0 is not a valid hour"),
        (lambda client: client.set_hour(math.nan), "nan is not a valid hour"),
        (lambda client: client.set_sky(rain=500.0), "rain: 500 mm/h is out of bounds; give 0 to 200 mm/h"),
        (lambda client: client.set_sky(snow=-1.0), "snow: -1 mm/h is out of bounds; give 0 to 200 mm/h"),
        (lambda client: client.set_sky(rain=float("nan")), "rain: nan mm/h is out of bounds"),
        (lambda client: client.set_sky(visibility=-1.0), "visibility: 10 to"),
        (lambda client: client.set_sky(), "nothing is to change"),
        (lambda client: client.start(seed=-1), "'-1' is not a valid seed"),
        (lambda client: client.start(seed=2**64 - 1), "is not a valid seed; use 0 to"),
        (lambda client: client.cast_ray((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), actor="nobody"), "no actor 'nobody'"),
    ],
)
def test_what_cannot_be_is_refused_with_a_reason(client, make, told):
    with pytest.raises(RefusedError, match=told):
        make(client)
    assert client.sensors() == ()


def test_a_ray_passes_through_its_own_vehicle_unless_it_is_to_meet_it(client):
    x, y, z = client.state().position
    down = (x, y, z + 10.0), (x, y, z)
    assert client.cast_ray(*down) == pytest.approx(10.0, abs=0.3)
    assert client.cast_ray(*down, own_vehicle=True) < 9.5
    assert client.cast_ray((x, y, z + 10.0), (x, y, z + 20.0), 50.0) is None


def test_the_sky_changes_while_the_run_goes_on(client):
    client.set_weather("cloudy")
    client.set_hour(21.5)
    client.set_sky(rain=12.0, visibility=400.0)
    sky = client.sky()
    assert client.hour() == sky.hour == pytest.approx(21.5)
    assert sky.rain == pytest.approx(12.0)
    assert sky.visibility == pytest.approx(400.0)
    assert sky.cloud == pytest.approx(0.8)
    assert client.weather() == "cloudy"
    camera = client.add_camera(**SMALL)
    night = camera.picture().image.mean()
    client.set_weather("sunny")
    client.set_hour(12.25)
    assert camera.picture().image.mean() > night + 20.0


def test_the_map_shows_itself(client):
    road_map = client.road_map()
    assert len(road_map.lanes) > 10
    drawn = road_map._repr_svg_()
    assert drawn.startswith("<svg")
    assert drawn.count("<polyline") == len(road_map.lanes)
    assert drawn.count("<circle") == client.all_states().rows
    lane = road_map.nearest_lane(*client.state().position[:2])
    assert lane in road_map.lanes
    assert "<table>" in client.state()._repr_html_()
    assert "actors at" in client.all_states()._repr_html_()


def test_the_asyncio_client_does_the_same(address):
    async def play():
        async with AsyncClient(address, timeout=120.0) as client:
            camera, imu = await client.add_camera(**SMALL, rate=20), await client.add_imu(rate=50.0)
            picture = await camera.picture()
            assert picture.image.shape == (120, 160, 3)
            times = []
            async for one in camera:
                times.append(one.time)
                if len(times) == 3:
                    break
            assert times == sorted(set(times))
            heard = []

            async def hear(sample):
                heard.append(sample)

            task = imu.listen(hear)
            end = time.monotonic() + 60.0
            while len(heard) < 3 and time.monotonic() < end:
                await asyncio.sleep(0.02)
            imu.stop()
            await asyncio.wait_for(task, 60.0)
            assert len(heard) >= 3
            async with client.synchronous(0.05):
                frames = []
                async for frame in client.frames(camera, imu):
                    frames.append(frame)
                    if len(frames) == 2:
                        break
            assert frames[1].time - frames[0].time == pytest.approx(0.05)
            await client.set_sky(rain=0.0)
            found = await client.sensor(camera.id)
            assert found.kind == "camera"
            await camera.remove()
            await imu.remove()
            with pytest.raises(RefusedError):
                await camera.read()

    asyncio.run(play())
