"""Rows of sensors in a settings file: what they ask for, and what is wrong with them, by key path."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from dorosim.app.sensor_store import plan_sensors
from dorosim.app.settings import read_settings
from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.world.mount.command import AddSensor, RemoveSensor
from dorosim.world.snapshot import EGO
from dorosim.world.start import first_snapshot
from dorosim.world.step import step
from tests.world.world import CAR, street

WORLD = first_snapshot(street(), [(CAR, (50.0, 0.0, 0.0), 0.0)])


def plan(folder: Path, row: str, now=WORLD):
    config = folder / "dorosim.toml"
    config.write_text(f"[[sensor]]\nkind = 'camera'\n{row}\n")
    return plan_sensors(read_settings(config), folder, now)


def test_a_row_mounts_a_sensor(tmp_path):
    made = plan(tmp_path, "position = [1, 0, 1.4]\nrotation_deg = [0, 10, 90]\nrate_hz = 20\nto = '127.0.0.1:4000'")
    (command,) = made.commands
    assert (command.actor, command.sensor, command.period) == (EGO, 1, 50_000_000)
    assert command.position == (1.0, 0.0, 1.4)
    assert command.rotation == pytest.approx((0.0, math.radians(10.0), math.radians(90.0)))
    assert made.addresses[1].destination.port == 4000


def test_sensors_of_a_snapshot_stay_if_they_are_asked_for_as_they_are(tmp_path):
    """Their slow errors go on; others are replaced, and those that nobody asks for leave."""
    two = "id = 4\nto = '127.0.0.1:4000'\n[[sensor]]\nkind = 'gps'\nid = 5\nrate_hz = {}"
    now = step(street(), WORLD, plan(tmp_path, two.format(5)).commands, Noise(0))
    again = plan(tmp_path, two.format(5), now)
    assert again.commands == ()
    assert again.addresses[4].destination.port == 4000
    remove, add = plan(tmp_path, two.format(10), now).commands
    assert (remove, type(add), add.sensor) == (RemoveSensor(5), AddSensor, 5)
    assert plan(tmp_path, "id = 4", now).commands == (RemoveSensor(5),)


@pytest.mark.parametrize(
    ("row", "place"),
    [
        ("id = -1", ""),
        ("id = 40000", ""),
        ("ego = 2", ".ego"),
        ("position = [nan, 0.0, 0.0]", ".position"),
        ("position = [0.0, 1e300, 0.0]", ".position"),
        ("rotation_deg = [0.0, inf, 0.0]", ".rotation_deg"),
        ("rotation_deg = [0.0, 1e300, 0.0]", ".rotation_deg"),
        ("rate_hz = nan", ".rate_hz"),
        ("rate_hz = 0", ".rate_hz"),
        ("to = '127.0.0.1:0'", ".to"),
        ("to = '127.0.0.1:99999'", ".to"),
        ('to = "\\u0000:9"', ".to"),
        ("from = '127.0.0.1:5'", ".from"),
        ("settings = { fov = nan }", ".settings.fov"),
        ("settings = { width = 1e308 }", ".settings.width"),
        ("settings = { distortion = [0.0, inf, 0.0] }", ".settings.distortion[1]"),
        ("settings = { principal_point = [nan, 0.0] }", ".settings.principal_point[0]"),
    ],
)
def test_what_is_wrong_is_named_by_its_key_path(tmp_path, row, place):
    with pytest.raises(InputError) as error:
        plan(tmp_path, row)
    assert error.value.place == f"sensor[0]{place}"
