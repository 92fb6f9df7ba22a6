"""The image sensor: a photon transfer test recovers what the settings say, and the same seed gives the same noise."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.ground.noise import Noise
from dorosim.sensor.camera.imager import SATURATION, ExposureSetting, imager_of, split_exposure
from dorosim.sensor.camera.metering import TARGET, Meter, exposed_of_byte
from dorosim.sensor.camera.readout import Readout
from dorosim.world.mount.setting import CameraSettings

SIZE = 300


def read_out(settings, exposed: float, tick: int, gain: float = 1.0, seed: int = 1):
    """`(SIZE, 3 * SIZE)` digital numbers of an even surface."""
    exposure = ExposureSetting(1e-3, gain)
    linear = np.full((SIZE, 3 * SIZE), exposed, np.float32)
    raw, rgb = np.empty(linear.shape, np.uint16), np.empty(linear.shape, np.uint8)
    Readout(imager_of(settings, exposure), Noise(seed), "sensor/1/pixels", tick).develop(linear, 0, SIZE, raw, rgb)
    return raw


def pair(settings, exposed: float, gain: float):
    """Mean, and temporal variance of two pictures of the same (EMVA 1288, release 4.0, section 6.2)."""
    one, two = (read_out(settings, exposed, tick, gain).astype(float) for tick in (1, 2))
    return 0.5 * (one + two).mean(), 0.5 * ((one - two) ** 2).mean()


@pytest.mark.parametrize("sensor", [(10_000.0, 8.0, 14, 1.0), (4_000.0, 5.0, 12, 4.0)])
def test_a_photon_transfer_test_recovers_the_sensor(sensor):
    full_well, read_noise, bits, gain = sensor
    settings = CameraSettings(full_well=full_well, read_noise=read_noise, bits=bits, dark_current=0.0)
    dark_mean, dark_variance = pair(settings, 0.0, gain)
    shares = np.linspace(0.05, 0.7, 8) / gain
    steps = np.array([pair(settings, SATURATION * gain * share, gain) for share in shares])
    slope = np.polyfit(steps[:, 0] - dark_mean, steps[:, 1] - dark_variance, 1)[0]
    assert slope == pytest.approx(((1 << bits) - (1 << bits) // 64 - 1) / full_well * gain, rel=0.02), "K"
    found = np.sqrt(dark_variance - 1.0 / 12.0) / slope
    assert found == pytest.approx(read_noise, rel=0.02)
    if gain == 1.0:
        ends = np.array([pair(settings, SATURATION * share, gain) for share in np.linspace(0.8, 1.3, 26)])
        last = ends[ends[:, 1].argmax()]  # the variance falls where the first pixels are full
        brimful = read_out(settings, 3.0 * SATURATION, 1).mean()
        assert (brimful - dark_mean) / slope == pytest.approx(full_well, rel=0.02)
        assert (last[0] - dark_mean) / slope == pytest.approx(full_well, rel=0.05)


def test_few_electrons_are_poisson_distributed():
    settings = CameraSettings(read_noise=0.0, dark_current=0.0, full_well=1000.0, bits=16)
    raw = read_out(settings, SATURATION * 5.0 / 1000.0, 3).astype(float)
    dark = read_out(settings, 0.0, 3).astype(float)
    electrons = np.round((raw - dark.mean()) / ((65535 - 1024) / 1000.0))
    counts = np.bincount(electrons.astype(int).ravel(), minlength=12)[:12] / electrons.size
    expected = np.array([5.0**k * np.exp(-5.0) / np.prod(np.arange(1, k + 1), dtype=float) for k in range(12)])
    assert counts == pytest.approx(expected, abs=0.002)


def test_the_same_seed_gives_the_same_noise_and_each_tick_another():
    settings = CameraSettings()
    first = read_out(settings, 1.0, 7)
    assert np.array_equal(first, read_out(settings, 1.0, 7))
    for other in (read_out(settings, 1.0, 8), read_out(settings, 1.0, 7, seed=2)):
        assert abs(np.corrcoef(first.ravel(), other.ravel())[0, 1]) < 0.01


def test_neighbours_and_channels_have_noise_of_their_own():
    noise = read_out(CameraSettings(), 1.0, 7).astype(float)
    for shifted in (np.roll(noise, 1, axis=0), np.roll(noise, 1, axis=1), np.roll(noise, 3, axis=1)):
        assert abs(np.corrcoef(noise.ravel(), shifted.ravel())[0, 1]) < 0.01


def test_cameras_take_longer_before_they_amplify():
    assert split_exposure(5.0, 1 / 60) == pytest.approx((5e-4, 1.0))
    night = split_exposure(2000.0, 1 / 60)
    assert night == pytest.approx((1 / 60, 12.0))
    assert night.total == pytest.approx(2000.0)


def test_automatic_exposure_reaches_its_target_with_its_lag():
    meter = Meter(lag=0.25, correction=0.0)
    meter.begin(1.0)
    radiance, exposure = 0.02, 1.0
    level = exposed_of_byte()
    seen = []
    for frame in range(40):
        exposure = meter.exposure_at(frame * 50_000_000) if frame else 1.0
        byte = int(np.searchsorted(level, radiance * exposure))
        meter.saw(np.full((8, 8, 3), byte, np.uint8), exposure, frame * 50_000_000)
        seen.append(exposure * radiance)
    assert seen[-1] == pytest.approx(TARGET, rel=0.06)
    # after one time constant (5 frames) 1 - 1/e of the way is done, in stops
    done = np.log(seen[5] / seen[0]) / np.log(seen[-1] / seen[0])
    assert done == pytest.approx(1.0 - np.exp(-1.0), abs=0.06)
