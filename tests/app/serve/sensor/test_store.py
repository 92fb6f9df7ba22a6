"""Rows of sensors in a settings file: what they ask for, and what is wrong with them, by key path."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from dorosim.app.serve.sensor.listing import list_kinds, list_set
from dorosim.app.serve.sensor.store import find_sensor_set, plan_sensors, save_sensor_set
from dorosim.app.setting.settings import Settings, read_settings
from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.world.mount.command import AddSensor, RemoveSensor
from dorosim.world.mount.setting import CameraImage
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


def test_where_packets_go_is_saved_with_the_sensors(tmp_path):
    made = plan(tmp_path, "to = '127.0.0.1:4000'\nfrom = '127.0.0.1:4001'\n[[sensor]]\nkind = 'imu'")
    now = step(street(), WORLD, made.commands, Noise(0))
    save_sensor_set(str(tmp_path / "saved.json"), made, now)
    again = plan_sensors(Settings(sensors=str(tmp_path / "saved.json")), tmp_path, WORLD)
    assert again.addresses == {1: made.addresses[1]}, "and the others to the usual ports"


def test_a_list_says_of_which_sensors_nothing_goes_by_udp(tmp_path):
    made = plan(tmp_path, "to = '127.0.0.1:4000'\n[[sensor]]\nkind = 'radar'")
    save_sensor_set(str(tmp_path / "saved.json"), made, step(street(), WORLD, made.commands, Noise(0)))
    camera, radar = list_set(str(tmp_path / "saved.json"), tmp_path)
    assert camera.endswith("to 127.0.0.1:4000")
    assert radar.endswith("; no form on UDP")


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


@pytest.mark.parametrize(
    ("row", "place", "says"),
    [
        ("settings = { widht = 5 }", ".settings.widht", "is not a known key; did you mean 'width'?"),
        ("settings = { zzz = 5 }", ".settings.zzz", "known keys: bits, blur_samples, boxes, "),
        ("settings = { width = 'wide' }", ".settings.width", "'wide' is not a whole number"),
        ("settings = { width = 0 }", ".settings.width", "0 is out of range; give at least 1"),
        ("settings = { quality = 101 }", ".settings.quality", "101 is out of range; give at most 100"),
        ("settings = { samples = 3 }", ".settings.samples", "3 is not a valid value; give 1 or 4"),
        ("settings = { boxes = 1 }", ".settings.boxes", "1 is not true or false"),
        (
            "settings = { image = 'deep' }",
            ".settings.image",
            "'deep' is not a valid value; give 'rgb' (0), 'depth' (1)",
        ),
        ("settings = { image = 9 }", ".settings.image", "9 is not a valid value; give 'rgb' (0)"),
        ("settings = { distortion = [0.0] }", ".settings.distortion", "[0.0] has not as many parts"),
        ("settings = { near = 5.0, far = 2.0 }", ".settings", "near is not nearer than far"),
        ("settings = { kind = 'gps' }", ".settings.kind", "beside `settings`"),
        ("positon = [1, 2, 3]", ".positon", "did you mean 'position'?"),
        ("rate = 5", ".rate", "did you mean 'rate_hz'?"),
        ("position = [1, 2]", ".position", "[1, 2] has not as many parts as it should; give 3"),
        ("[[sensor]]\nrate_hz = 5", "", "is missing"),
        ("[[sensor]]\nkind = 'kamera'", "", "'kamera' is no sensor; did you mean 'camera'?"),
        (
            "[[sensor]]\nkind = 'gps'\nsettings = { denied = [{ type = 'circle', centre = [0, nan], radius = 1 }] }",
            ".settings.denied[0].centre[1]",
            "is no finite number",
        ),
        (
            "[[sensor]]\nkind = 'gps'\nsettings = { denied = [{ type = 'circle', centre = [0, 1], radios = 1 }] }",
            ".settings.denied[0].radios",
            "did you mean 'radius'?",
        ),
    ],
)
def test_what_is_wrong_is_said_with_the_nearest_right_thing(tmp_path, row, place, says):
    with pytest.raises(InputError) as error:
        plan(tmp_path, row)
    number = 1 if "[[sensor]]" in row else 0
    assert error.value.place.startswith(f"sensor[{number}]{place}")
    assert says in str(error.value)
    assert "Expected" not in str(error.value), "the wording of the library that reads the file"


def test_codes_may_stand_by_name(tmp_path):
    (command,) = plan(tmp_path, "settings = { image = 'Depth' }").commands
    assert command.settings.image is CameraImage.DEPTH


def test_every_setting_is_listed_as_a_file_may_have_it(tmp_path):
    for block in re.split(r"\n(?=\w)", "\n".join(list_kinds())):
        head, *settings = block.split("\n")
        kind = head.split(":")[0]
        given = "\n".join(line.split("  (")[0].strip() for line in settings if " = " in line)
        config = tmp_path / "dorosim.toml"
        config.write_text(f"[[sensor]]\nkind = '{kind}'\n[sensor.settings]\n{given}\n")
        (command,) = plan_sensors(read_settings(config), tmp_path, WORLD).commands
        assert command.settings.KIND.name.lower() == kind
        listed = [line.split()[0] for line in settings]
        assert listed == list(type(command.settings).__struct_fields__)


def test_a_sensor_set_that_is_not_there_is_named_once_with_those_that_are(tmp_path):
    with pytest.raises(InputError, match=r"^sensors: \S*nope\.json: No such file or directory; give a file"):
        find_sensor_set("nope", tmp_path)
    (tmp_path / "Sensor").mkdir()
    (tmp_path / "Sensor" / "mine.json").write_text("{}")
    with pytest.raises(InputError, match="known sensor sets: mine"):
        find_sensor_set("nope", tmp_path)
