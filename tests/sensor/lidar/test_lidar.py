"""Times, motion, noise, losses and intensity of spinning lidars."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.endpoint.sensor.pool import ThreadPool
from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.sensor.lidar.lidar import Lidar
from dorosim.sensor.lidar.model import MODELS
from dorosim.sensor.lidar.motion import SweepMotion
from dorosim.sensor.lidar.setting import LidarSetting
from dorosim.sensor.lidar.weather import CLEAR_WEATHER, haze_of
from dorosim.sensor.scene.material import Material
from dorosim.sensor.scene.semantic import COLOUR, INTENSITY, Semantic
from dorosim.world.environment.command import SetSky
from dorosim.world.environment.weather import first_environment
from tests.sensor.lidar.place import HALF, POSITION, SECOND, distance_to_walls, quiet, room, standing, turned
from tests.sensor.scene.build import box, plane, pose, scene_of
from tests.world.effect import changed

TICK = 10_000_000
LEVEL = np.eye(3)


def xyz(reading):
    points = reading.points()
    return np.stack([points[name] for name in "xyz"], axis=1).astype(np.float64), points


@pytest.mark.parametrize("model", list(MODELS))
def test_ticks_give_every_packet_once(model):
    scene, view = room()
    assert scene
    lidar = Lidar(7, LidarSetting(model=model), Noise(1))
    motion = SweepMotion.at_rest(POSITION, LEVEL, 0, 1)
    whole = lidar.read(view, motion, 0, 12 * TICK)
    parts = [lidar.read(view, motion, k * TICK, (k + 1) * TICK) for k in range(12)]
    for name in ("number", "start", "due", "azimuth", "distance", "intensity"):
        joined = np.concatenate([getattr(part, name) for part in parts])
        np.testing.assert_array_equal(joined, getattr(whole, name), err_msg=name)
    for part in parts:
        assert ((part.due > part.time - TICK) & (part.due <= part.time)).all()
        assert (part.due - part.start == MODELS[model].packet_time(1)).all()
    per_second = {"VLP-16": 754, "HDL-32E": 1808, "HDL-64E": 2894}[model]
    assert len(whole.number) == pytest.approx(0.12 * per_second, abs=1)


def test_nothing_is_due_in_a_tick_of_no_duration():
    reading = standing(LidarSetting(), LEVEL, 5, 5)
    assert reading.distance.shape == (0, 12, 32)
    assert len(reading.points()) == 0


def test_a_sensor_starts_with_the_azimuth_forward_whenever_it_is_made():
    scene, view = room()
    assert scene
    begin = 3 * SECOND + 1
    reading = Lidar(7, LidarSetting(), Noise(1), begin).read(
        view, SweepMotion.at_rest(POSITION, LEVEL, 0, 1), 0, begin + TICK
    )
    assert (reading.number[0], reading.start[0], reading.azimuth[0, 0]) == (0, begin, 0)


def test_azimuth_grows_clockwise_at_the_set_rate():
    reading = standing(LidarSetting(rate=12.5), LEVEL, 0, SECOND)
    time = reading.start[:, None] + np.arange(12) * 110_592
    exact = (time * 1e-9 * 12.5 * 36000) % 36000
    assert np.abs(reading.azimuth - np.floor(exact)).max() <= 1
    points, _ = xyz(standing(quiet("VLP-16"), LEVEL, 0, 25_000_000))
    assert (points[:, 1] < 0.2).all()  # the first quarter of a turn looks forward and to the right


def test_a_wall_is_skewed_by_motion_within_the_turn():
    """Driving at 20 m/s to a wall: points are where the wall was, seen from where the sensor was at each firing."""
    scene, view = scene_of(box(HALF))
    speed, turning = 20.0, 0.8
    since, until = 0, SECOND // 10
    before = (POSITION, turned(0.3))
    now = (POSITION + np.array((speed * 0.1, 0.5, 0.0)), turned(0.3 + turning * 0.1))
    reading = Lidar(7, quiet("HDL-32E"), Noise(1)).read(
        view, SweepMotion.between(before, now, since, until), since, until
    )
    assert scene
    points, table = xyz(reading)
    moment = table["time"].astype(np.float64)[:, None] / 0.1
    place = before[0] + moment * (now[0] - before[0])
    yaw = 0.3 + turning * 0.1 * moment[:, 0]
    right = np.stack((np.cos(yaw), np.sin(yaw)), axis=1)
    in_map = place.copy()
    in_map[:, 0] += points[:, 0] * right[:, 0] - points[:, 1] * right[:, 1]
    in_map[:, 1] += points[:, 0] * right[:, 1] + points[:, 1] * right[:, 0]
    in_map[:, 2] += points[:, 2]
    beyond = np.abs(np.abs(in_map) - HALF).min(axis=1)
    assert beyond.max() < 0.003
    assert distance_to_walls(points @ turned(0.3).T + POSITION).max() > 1.0


def test_a_packet_that_straddles_a_tick_is_fired_along_the_motion_backwards():
    scene, view = scene_of(box(HALF))
    assert scene
    lidar, whole = Lidar(7, quiet("VLP-16"), Noise(1)), []
    for k in range(5):
        poses = [(POSITION + np.array((0.2 * (k + i), 0.0, 0.0)), LEVEL) for i in (0, 1)]
        whole.append(lidar.read(view, SweepMotion.between(*poses, k * TICK, (k + 1) * TICK), k * TICK, (k + 1) * TICK))  # type: ignore[call-arg]
    path = SweepMotion.between((POSITION, LEVEL), (POSITION + np.array((1.0, 0.0, 0.0)), LEVEL), 0, 5 * TICK)
    once = lidar.read(view, path, 0, 5 * TICK)
    steps = np.abs(np.concatenate([part.distance for part in whole]).astype(int) - once.distance)
    assert steps.max() <= 1


def test_threads_change_nothing():
    scene, view = room()
    assert scene
    lidar = Lidar(7, LidarSetting(model="HDL-64E", return_mode="dual"), Noise(1))
    motion = SweepMotion.at_rest(POSITION, LEVEL, 0, 1)
    alone = lidar.read(view, motion, 0, 5 * TICK)
    pool = ThreadPool(3)
    together = lidar.read(view, motion, 0, 5 * TICK, pool)
    pool.close()
    np.testing.assert_array_equal(alone.distance, together.distance)
    np.testing.assert_array_equal(alone.intensity, together.intensity)


def test_noise_has_the_set_deviation_and_is_the_sensors_own():
    scene, view = scene_of(box(HALF))
    assert scene
    motion = SweepMotion.at_rest(POSITION, LEVEL, 0, 1)

    def read(sensor, noise, seed=1):
        setting = quiet("HDL-32E", noise=noise)
        return Lidar(sensor, setting, Noise(seed)).read(view, motion, 0, SECOND // 10).distance.astype(np.float64)

    exact = read(7, 0.0)
    error = 0.002 * (read(7, 0.05) - exact).ravel()
    assert abs(error.mean()) < 4 * 0.05 / np.sqrt(len(error))
    assert error.std() == pytest.approx(0.05, rel=0.01)
    assert ((error / 0.05) ** 4).mean() == pytest.approx(3.0, abs=0.1)
    assert abs(np.corrcoef(error[:-1], error[1:])[0, 1]) < 0.02
    assert abs(np.corrcoef(error[:-32], error[32:])[0, 1]) < 0.02
    np.testing.assert_array_equal(read(7, 0.05), read(7, 0.05))
    other = 0.002 * (read(8, 0.05) - exact).ravel()
    assert abs(np.corrcoef(error, other)[0, 1]) < 0.02
    assert (read(7, 0.05, seed=2) != read(7, 0.05)).mean() > 0.9


def test_weak_returns_get_lost_by_range_and_incidence():
    """Half of the returns of a 10 % surface at right angles come back from the range of detection."""
    kind = MODELS["VLP-16"]
    share = []
    for distance, stuff in (
        (kind.detection, Material.PLASTIC),
        (0.5 * kind.detection, Material.PLASTIC),
        (90.0, Material.WHITE_LINE),
    ):
        assert stuff.properties.reflectivity == (0.1 if stuff == Material.PLASTIC else 0.75)
        scene, view = scene_of(
            plane(-1000.0), [box((1.0, 60.0, 60.0), material=stuff)], [pose(distance + 1.0, 0.0, 0.0)]
        )
        assert scene
        lidar = Lidar(7, LidarSetting(noise=0.0), Noise(1))
        got = lidar.read(view, SweepMotion.at_rest(np.zeros(3), LEVEL, 0, 1), 0, SECOND // 2)
        ahead = (got.azimuth < 500) | (got.azimuth > 35500)
        level = got.distance[ahead].reshape(-1, 2, 16)[:, :, [1, 14]]  # the lasers at 1 and -1 degrees
        share.append(np.count_nonzero(level) / level.size)
    assert share[0] == pytest.approx(0.5, abs=0.06)
    assert share[1] == pytest.approx(256 / 257, abs=0.02)
    assert share[2] == pytest.approx(0.992, abs=0.015)
    ground, view = scene_of(plane())
    assert ground
    motion = SweepMotion.at_rest(np.array((0.0, 0.0, 2.0)), LEVEL, 0, 1)
    lost = Lidar(7, LidarSetting(noise=0.0), Noise(1)).read(view, motion, 0, SECOND // 10)
    kept = Lidar(7, quiet("VLP-16"), Noise(1)).read(view, motion, 0, SECOND // 10)
    flat = kept.distance.reshape(-1, 16)[:, 12] > 0  # 3 degrees down, 38 m
    assert flat.all()
    assert np.count_nonzero(lost.distance.reshape(-1, 16)[:, 12]) < 0.2 * len(flat)
    steep = lost.distance.reshape(-1, 16)[:, 0]  # 15 degrees down, 8 m
    assert np.count_nonzero(steep) > 0.99 * len(steep)


def test_fog_takes_light_on_the_way_there_and_back():
    """At the range of detection twice the reflectivity makes up for fog that leaves half of the light."""
    far = MODELS["VLP-16"].detection
    haze = np.log(2.0) / (2.0 * far)
    scene, view = scene_of(
        plane(-1000.0), [box((1.0, 60.0, 60.0), material=Material.PLASTIC)], [pose(far + 1.0, 0.0, 0.0)]
    )
    assert scene
    lidar, motion = Lidar(7, LidarSetting(noise=0.0), Noise(1)), SweepMotion.at_rest(np.zeros(3), LEVEL, 0, 1)

    def share(haze):
        got = lidar.read(view, motion, 0, SECOND // 2, weather=CLEAR_WEATHER._replace(haze=haze))
        ahead = (got.azimuth < 500) | (got.azimuth > 35500)
        level = got.distance[ahead].reshape(-1, 2, 16)[:, :, [1, 14]]
        return np.count_nonzero(level) / level.size

    assert share(0.0) == pytest.approx(0.5, abs=0.06)
    assert share(haze) == pytest.approx(0.5**4 / (1.0 + 0.5**4), abs=0.03)
    assert share(0.1) == 0.0
    ideal = Lidar(7, quiet("VLP-16"), Noise(1))
    clear, foggy = (
        ideal.read(view, motion, 0, SECOND // 10, weather=CLEAR_WEATHER._replace(haze=one)) for one in (0.0, 0.1)
    )
    np.testing.assert_array_equal(clear.distance, foggy.distance)


def test_weather_takes_nothing_on_a_sunny_day_and_the_more_the_worse_it_is():
    state = first_environment()
    assert haze_of(state) == 0.0
    state, problem = changed("environment", state, SetSky(visibility=100_000.0))
    assert problem == ""
    assert haze_of(state) == 0.0
    state, problem = changed("environment", state, SetSky(visibility=200.0))
    assert problem == ""
    assert haze_of(state) == pytest.approx(3.0 / 200.0 - 3.0 / 20_000.0 * (905 / 550) ** -1.3, rel=2e-3)
    state, problem = changed("environment", state, SetSky(visibility=20_000.0, rain=1e-3 / 360.0))
    assert problem == ""
    assert haze_of(state) == pytest.approx(0.01 * 10.0**0.6, rel=1e-9)


def test_the_body_that_carries_it_is_not_seen():
    """A lidar inside of actor 1, which stands in a closed room before actor 2."""
    cars = [pose(POSITION[0], POSITION[1], 0.0), pose(10.0, 5.0, 0.0)]
    scene, view = scene_of(box(HALF), [box((2.0, 1.0, 3.0))], cars)
    assert scene
    motion = SweepMotion.at_rest(POSITION, LEVEL, 0, 1)
    lidar = Lidar(7, quiet("VLP-16", intensity="instance", nearest=0.1), Noise(1))
    inside, carried = (lidar.read(view, motion, 0, SECOND // 10, own=own) for own in (0, 1))
    assert set(np.unique(inside.intensity)) == {1}
    assert set(np.unique(carried.intensity)) == {0, 2}
    beyond = carried.points()
    metres = np.sqrt(beyond["x"] ** 2 + beyond["y"] ** 2)
    assert metres.min() > 8.0


def test_range_is_limited():
    reading = standing(quiet("VLP-16", nearest=12.0, farthest=33.0), LEVEL, 0, SECOND // 10)
    seen = 0.002 * reading.distance[reading.distance > 0]
    assert 12.0 <= seen.min() < 12.5
    assert 32.5 < seen.max() <= 33.001
    assert (reading.distance == 0).any()


def test_intensity_tells_reflectivity_class_or_actor():
    scene, view = scene_of(plane(-2.0), [box((1.0, 3.0, 3.0), material=Material.SIGN_FACE)], [pose(9.0, 0.0, 0.0)])
    assert scene
    motion = SweepMotion.at_rest(np.zeros(3), LEVEL, 0, 1)

    def read(intensity):
        reading = Lidar(7, quiet("VLP-16", intensity=intensity), Noise(1)).read(view, motion, 0, SECOND // 10)
        word, byte = reading.distance.reshape(-1, 16), reading.intensity.reshape(-1, 16)
        hit = word[:, 0] > 0
        ahead = np.arange(len(word)) < 20
        return byte[ahead & hit, 14], byte[~ahead & hit, 0][100:-100], word

    sign, ground, word = read("reflectivity")
    cosine = np.sin(np.radians(15.0))
    assert set(ground.tolist()) == {round(100 * Material.ASPHALT.properties.reflectivity * cosine)}
    assert set(sign.tolist()) == {int(100 + 155 * np.float32(0.6))}
    sign, ground, _ = read("semantic")
    assert set(ground.tolist()) == {127}, "asphalt"
    assert set(sign.tolist()) == {125}, "a sedan"
    sign, ground, _ = read("instance")
    assert set(ground.tolist()) == {0}
    assert set(sign.tolist()) == {1}
    assert (word[:, 15] == 0).any()


MANUAL_22_R2 = """
Sedan 125, SUV 135, Truck 145, Bus 155, Van 165, Stroller 40, Stroller person 50, Scooter 60, Scooter person 70,
Bicycle 80, Bicycle person 90, Motorbike 100, Motorbike person 110, Sportbike 120, Sportbike person 130, White lane 255,
Yellow lane 170, Stop line 85, Asphalt 127, Building 153, Traffic light 190, Blue lane 144, Crosswalk 136, Sidewalk 129,
Standing object 109, Object on road 92, Vehicle 86, Pedestrian 118, Road sign 132
"""
"""facts/udp-wire.md, section 7, in the names of `Semantic`."""


def test_semantic_intensities_are_those_of_the_manual_and_the_rest_are_means_of_colours():
    listed = dict(one.strip().rsplit(" ", 1) for one in MANUAL_22_R2.replace("\n", " ").split(","))
    told = {Semantic[name.upper().replace(" ", "_")]: int(value) for name, value in listed.items()}
    assert {kind: int(INTENSITY[kind]) for kind in told} == told
    rest = [kind for kind in Semantic if kind not in told]
    assert rest == [Semantic.SKY, Semantic.ETC]
    assert [int(INTENSITY[kind]) for kind in rest] == [round(float(COLOUR[kind].mean())) for kind in rest]
    shared = [kind for kind in Semantic if kind is not Semantic.SKY and (INTENSITY[1:] == INTENSITY[kind]).sum() > 1]
    assert shared == [Semantic.ETC, Semantic.STROLLER_PERSON], "all others that a lidar meets can be told apart"


def test_last_and_dual_returns_at_an_edge():
    """A beam that stands on an edge has two echoes; the strongest is that of its middle."""
    scene, view = room()
    assert scene
    motion = SweepMotion.at_rest(POSITION, LEVEL, 0, 1)

    def read(mode):
        return Lidar(7, quiet("VLP-16", return_mode=mode), Noise(1)).read(view, motion, 0, SECOND // 10)

    strongest, last, dual = (read(mode) for mode in ("strongest", "last", "dual"))
    assert (last.distance >= strongest.distance).all()
    assert 0.0005 < (last.distance > strongest.distance).mean() < 0.03
    groups = np.stack((dual.distance[:, 0::2], dual.distance[:, 1::2])).reshape(2, -1, 32)
    count = min(groups.shape[1], last.distance.size // 32)
    assert abs((groups[0, :count] > groups[1, :count]).mean() - 2 * (last.distance > strongest.distance).mean()) < 0.01


@pytest.mark.parametrize(
    "wrong",
    [
        {"model": "VLP-17"},
        {"rate": 4.0},
        {"rate": float("nan")},
        {"rate": 10.001},
        {"return_mode": "first"},
        {"intensity": "colour"},
        {"noise": -1.0},
        {"farthest": 200.0},
        {"nearest": 50.0, "farthest": 20.0},
    ],
)
def test_settings_that_cannot_be(wrong):
    with pytest.raises(InputError) as caught:
        LidarSetting(**wrong)
    assert next(reversed(wrong)) in str(caught.value) or "nearest" in str(caught.value)
