"""`dorosim sensor` as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from dorosim.app.cli.sensor import world_of_options
from dorosim.app.serve.sensor.ray import cast_from_text
from dorosim.app.serve.sensor.shot import shoot, turn_of, write_picture
from dorosim.app.setting.seed import USUAL_SEED
from dorosim.app.setting.settings import Settings, TrafficSettings
from tests.app.command import dorosim
from tests.sensor.scene.town import shared_scene
from tests.shared import shared

TINY = """
seed = 3
[[sensor]]
kind = "gps"
[[sensor]]
kind = "camera"
position = [1.5, 0.0, 1.4]
settings = {{ width = {}, height = {}, image = "depth", boxes = true }}
"""


@pytest.fixture(autouse=True)
def built_once(monkeypatch):
    monkeypatch.setattr("dorosim.app.serve.sensor.shot.sensor_scene", shared_scene)


def config(folder: Path, width: int = 64, height: int = 48) -> Path:
    path = folder / "dorosim.toml"
    path.write_text(TINY.format(width, height))
    return path


def settings(folder: Path, width: int = 64, height: int = 48) -> Settings:
    return world_of_options(config(folder, width, height), vehicles=5, pedestrians=0, data=folder).settings


def test_options_go_over_a_settings_file_and_that_over_what_is_usual(tmp_path):
    usual = world_of_options().settings
    assert (usual.map, usual.seed, usual.traffic) == ("town", USUAL_SEED, TrafficSettings(60, 20))
    filed = world_of_options(config(tmp_path)).settings
    assert (filed.seed, filed.traffic, len(filed.sensor)) == (3, TrafficSettings(0, 0), 2)
    over = world_of_options(
        config(tmp_path), map_name="there", pose="1,2,3", vehicles=7, seed=9, data=tmp_path
    ).settings
    assert (over.map, over.seed, over.traffic.vehicles, over.ego[0].pose) == ("there", 9, 7, (1.0, 2.0, 3.0))


def test_a_shot_is_taken_through_the_camera_of_a_settings_file(tmp_path):
    out = tmp_path / "shot.png"
    run = dorosim("sensor", "shot", "--config", config(tmp_path), "--data", tmp_path, "--after", "0", "-o", out)
    assert (run.returncode, run.stdout.strip()) == (0, f"{out}: 128 x 96"), run.stderr
    assert out.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(("width", "height"), [(1, 1), (641, 479), (3, 2000)])
def test_pictures_of_odd_sizes_are_whole(tmp_path, width, height):
    image = shoot("2", settings(tmp_path, width, height), 0.0, "all")
    assert image.shape == (2 * height, 2 * width, 3)
    write_picture(tmp_path / "x.png", image)
    read = pytest.importorskip("matplotlib.image").imread(tmp_path / "x.png")
    assert np.array_equal(np.rint(read[:, :, :3] * 255).astype(np.uint8), image)


def test_a_ray_from_the_ego_vehicle_meets_what_is_around_it(tmp_path):
    world = settings(tmp_path)
    found = json.loads(cast_from_text(world, 0.0, None, None, "0,0,-1", None, 0))
    hit, (x, y, z) = found["hit"], found["from"]
    assert hit["distance"] == pytest.approx(1.5, abs=0.05), "the road, and not the vehicle's floor"
    assert hit["point"] == pytest.approx([x, y, z - hit["distance"]])
    assert hit["normal"] == pytest.approx([0.0, 0.0, 1.0], abs=0.1)
    assert (hit["actor"], hit["class"]) == (0, "asphalt")


def test_a_ray_between_two_points_ends_at_the_second(tmp_path):
    run = dorosim(
        *("sensor", "ray", "--from=0,0,300", "--to=0,0,290", "--after", "0", "--vehicles", "0", "--pedestrians", "0"),
        *("--data", tmp_path),
    )
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    assert (found["hit"], found["far"], found["direction"]) == (None, 10.0, [0.0, 0.0, -1.0])


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("shot", "--sensor", "radar"), "'radar' is no camera; give camera, or a number with --sensors FILE"),
        (("view", "--sensor", "camera"), "'camera' is no lidar_3d"),
        (("shot", "--sensor", "lidar"), "'lidar' is no camera"),
        (("shot", "--part", "deep"), "there is no 'deep'; give rgb, boxes, depth, semantic, instance or all"),
        (("shot", "--after", "nan"), "nan s; give 0 to 3600"),
        (("shot", "--out", "x.gif"), "x.gif: files of type '.gif' cannot be drawn; end the name in .png or .jpg"),
        (("view", "--out", "x.jpg"), "x.jpg: files of type '.jpg' cannot be drawn; end the name in .png or .svg"),
        (("shot", "--out", "no such folder/x.png"), "no such folder/x.png: there is no folder"),
        (("view", "--out", "no such folder/x.png"), "no such folder/x.png: there is no folder"),
        (("shot", "--pose", "nan,0,0"), "is not a valid place on a map"),
        (("ray",), "give either --to or --direction"),
        (("ray", "--to=1,2,3", "--direction=1,2,3"), "give either --to or --direction"),
        (("ray", "--to=1,2"), "--to: '1,2' is not three numbers"),
        (("ray", "--from=0,0,nan", "--to=1,2,3"), "--from: '0,0,nan' is not finite"),
        (("ray", "--from=0,0,1", "--direction=0,0,0"), "is not a valid direction"),
        (("ray", "--from=0,0,1", "--direction=0,0,1", "--far=-1"), "cannot end -1 m away"),
    ],
)
def test_a_wrong_option_is_said_before_any_work(tmp_path, arguments, says):
    run = dorosim("sensor", *arguments, "--data", tmp_path)
    assert run.returncode == 2
    assert says in run.stderr.replace("\n", " ")
    assert "Traceback" not in run.stderr


def test_a_map_without_crosswalks_is_looked_at_without_pedestrians(tmp_path):
    place = shared("maps/Sangam_Track")
    assert len(
        turn_of("lidar", Settings(map=str(place), data=str(tmp_path), traffic=TrafficSettings(5, 20)), 0.0).number
    )
