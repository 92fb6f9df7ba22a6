"""Cameras on vehicles: their own car in the picture, exposure by the picture, and noise by the seed."""

from __future__ import annotations

import numpy as np

from dorosim.world.environment.command import SetTimeOfDay
from dorosim.world.mount.setting import CameraExposure, CameraImage, CameraSettings
from dorosim.world.snapshot import EGO
from tests.sensor.camera.cabin import SMALL, shots


def test_a_camera_in_the_cabin_sees_its_bonnet_through_the_windscreen_if_it_is_to():
    hidden, shown = (
        shots(CameraSettings(**SMALL, image=CameraImage.INSTANCE, own_vehicle=own))[0].instance for own in (False, True)
    )
    assert not (hidden == EGO).any()
    low, middle = shown[-12:, 50:110], shown[50:70, 50:110]
    assert (low == EGO).mean() > 0.9, "the bonnet"
    assert (middle == EGO).mean() < 0.1, "the road ahead, through glass"


def test_exposure_follows_the_picture_into_the_night_the_same_in_every_run():
    settings = CameraSettings(**SMALL, exposure_mode=CameraExposure.AUTO, exposure_lag=0.0)
    day, night = (shots(settings, SetTimeOfDay(hour * 3600.0), count=3) for hour in (12.0, 23.0))
    by_hand = shots(CameraSettings(**SMALL, exposure_mode=CameraExposure.MANUAL), SetTimeOfDay(23.0 * 3600.0))[0]
    assert by_hand.image.mean() < 5.0, "a tenth of a millisecond is nothing at night"
    assert night[-1].image.mean() > 10.0 * max(by_hand.image.mean(), 1.0)
    again = shots(settings, SetTimeOfDay(12.0 * 3600.0), count=3)
    assert all(np.array_equal(one.image, other.image) for one, other in zip(day, again, strict=True))


def test_noise_is_that_of_the_seed_and_of_the_tick():
    settings = CameraSettings(**SMALL, noise=True, full_well=500.0)
    first_run, second_run, other_seed = (shots(settings, count=2, seed=seed) for seed in (2, 2, 3))
    clean = shots(CameraSettings(**SMALL), count=2)
    assert np.array_equal(first_run[0].image, second_run[0].image)
    errors = [shot.image.astype(int) - clean[0].image for shot in (*first_run, other_seed[0])]
    assert 2.0 < errors[0].std() < 30.0
    for other in errors[1:]:
        assert abs(np.corrcoef(errors[0].ravel(), other.ravel())[0, 1]) < 0.3
