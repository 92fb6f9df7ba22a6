"""Videos of recordings: what is decoded of them is what was asked for and what cameras see."""

from __future__ import annotations

import math
import sys

import av
import numpy as np
import pytest

from dorosim.app.analyse.trace.recorded import open_recording
from dorosim.app.analyse.video.encoder import VideoWriter, check_size
from dorosim.app.analyse.video.eye import Turning, ViewEye, resized
from dorosim.app.analyse.video.shot import VideoShot, make_video, size_from_text
from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.sensor.pool import SerialPool
from dorosim.sensor.rig import Rig
from dorosim.world.command import Source
from dorosim.world.mount.command import RemoveSensor, SetSensor
from dorosim.world.mount.setting import CameraSettings
from dorosim.world.vehicle.command import FollowTrajectory
from tests.app.command import dorosim
from tests.app.recorded_drive import BESIDE, CAMERA, CAR, SECOND, START, record
from tests.sensor.scene.town import shared_scene


@pytest.fixture(scope="module")
def drive(tmp_path_factory):
    path = tmp_path_factory.mktemp("drive") / "run.rec"
    record(path, 150)
    return path


@pytest.fixture(scope="module")
def recorded(drive):
    return open_recording(drive, None, drive.parent)


@pytest.fixture(scope="module")
def stage(recorded):
    return shared_scene(recorded.ready)


@pytest.fixture(autouse=True)
def built_once(monkeypatch):
    monkeypatch.setattr("dorosim.app.analyse.video.shot.sensor_scene", shared_scene)


def decoded(path):
    """Pictures `(n, H, W, 3)` of a video, and its stream's codec, format and rate."""
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        pictures = [
            frame.reformat(format="rgb24", src_colorspace=1).to_ndarray() for frame in container.decode(video=0)
        ]
        return np.stack(pictures), (stream.codec_context.name, stream.codec_context.pix_fmt, stream.average_rate)


LUMA = np.array((0.2126, 0.7152, 0.0722))


def noise_of(first, second):
    """Peak signal-to-noise ratio [dB] of the brightness: colours are at half the resolution in a video."""
    error = np.mean((first @ LUMA - second @ LUMA) ** 2)
    return math.inf if error == 0 else 10.0 * math.log10(255.0**2 / error)


def test_a_camera_of_the_run_shows_what_it_sees(drive, recorded, stage, tmp_path):
    out = tmp_path / "run.mp4"
    done = dorosim("video", drive, out, "--camera", CAMERA, "--from", "0.5", "--to", "1", "--data", drive.parent)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{out}: 16 pictures of 96 x 64, 0.53 s\n"
    pictures, how = decoded(out)
    assert pictures.shape == (16, 64, 96, 3)
    assert how == ("h264", "yuv420p", 30)
    snapshots = list(recorded.snapshots())
    rig = Rig(recorded.ready.scene, Noise(0), lambda: stage, SerialPool())
    for number, tick in ((0, 50), (1, 54), (15, 100)):
        (own,) = rig.read_now(snapshots[tick - 1], snapshots[tick], only={CAMERA})
        assert noise_of(pictures[number], own.image) > 33.0
    (other,) = rig.read_now(snapshots[139], snapshots[140], only={CAMERA})
    assert noise_of(pictures[0], other.image) < 28.0, "another moment looks otherwise"


def test_the_same_recording_gives_the_same_file(recorded, tmp_path):
    first, second = tmp_path / "first.mp4", tmp_path / "second.mp4"
    shot = VideoShot(view="chase", begin=0.4, end=0.8, fps=10, size=(160, 90))
    assert make_video(recorded, first, shot).count == 5
    make_video(recorded, second, shot)
    assert first.read_bytes() == second.read_bytes()
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["first.mp4", "second.mp4"]


def test_the_same_pictures_give_the_same_file_whatever_was_in_the_memory(tmp_path):
    source = np.random.default_rng(1)
    slope = np.add.outer(np.arange(90), np.arange(160))[..., None] * (1, 2, 3)
    pictures = [((slope + 3 * n) % 200 + source.integers(0, 50, slope.shape)).astype(np.uint8) for n in range(5)]
    files = set()
    for _ in range(12):
        left = [np.full(int(source.integers(1_000, 400_000)), source.integers(0, 255), np.uint8) for _ in range(30)]
        del left[::2]
        with VideoWriter(tmp_path / "x.mp4", 160, 90, 10) as writer:
            for picture in pictures:
                writer.add(picture)
        files.add((tmp_path / "x.mp4").read_bytes())
    assert len(files) == 1


def test_a_video_that_begins_later_goes_on_alike(recorded, tmp_path):
    """The chase camera at a moment depends on what was before, and not on where the video begins."""
    turns = tmp_path / "bend.rec"
    record(turns, 150, more=bend)
    drive = open_recording(turns, None, tmp_path)
    whole, part = tmp_path / "whole.mp4", tmp_path / "part.mp4"
    make_video(drive, whole, VideoShot(end=1.5, begin=0.5, fps=10, size=(160, 90), actor=SECOND))
    make_video(drive, part, VideoShot(begin=1.4, end=1.5, fps=10, size=(160, 90), actor=SECOND))
    assert noise_of(decoded(whole)[0][9], decoded(part)[0][0]) > 30.0


def bend(run, tick):
    """The second vehicle drives a circle to the left."""
    if tick == 1:
        angles = np.linspace(0.0, math.pi, 60)
        points = tuple((START[0] + 12.0 * math.sin(a), START[1] - 8.0 - 12.0 * math.cos(a), 5.0, 9.0) for a in angles)
        run.loop.put(Source.PEER, FollowTrajectory(SECOND, points))


def eye_of(recorded, stage, view, actor, now, size=(320, 180)):
    return ViewEye(recorded.ready.scene, stage, SerialPool(), view, actor, size, now, Turning(actor))


def red_of(image):
    """Where a picture shows lamps, which are the reddest there is."""
    red = image[..., 0].astype(int) - np.maximum(image[..., 1], image[..., 2])
    return red > 60


def test_views_show_the_vehicle_where_it_belongs(recorded, stage):
    snapshots = list(recorded.snapshots())
    before, now = snapshots[99], snapshots[100]
    chase = eye_of(recorded, stage, "chase", 1, now)
    image = chase.picture(before, now)
    assert image.shape == (180, 320, 3)
    _, columns = np.nonzero(red_of(image)[90:])
    assert len(columns) > 20, "its rear lamps, below the middle: the camera looks ahead of it"
    assert 140 < columns.mean() < 180
    top = eye_of(recorded, stage, "top", 1, now)
    above = top.picture(before, now)
    middle, beside = above[84:96, 150:170].astype(int), above[84:96, 60:80].astype(int)
    assert middle.std() > 2.0 * beside.std(), "the vehicle is in the middle, and plain road is not"
    driver = eye_of(recorded, stage, "driver", 1, now).picture(before, now)
    _, columns = np.nonzero(red_of(driver)[95:, 110:])
    assert len(columns) > 5, "the lamps of the car ahead"
    assert 165 < columns.mean() + 110 < 200, "to the right of the driver, who sits on the left"
    assert not np.array_equal(driver, eye_of(recorded, stage, "driver", SECOND, now).picture(before, now))
    assert eye_of(recorded, stage, "chase", CAR, now).picture(before, now) is not None


def test_the_top_view_has_north_up(recorded, stage):
    """The second vehicle is 10 m to the right of the ego vehicle, which drives east: below it in the picture."""
    snapshots = list(recorded.snapshots())
    now = snapshots[2]
    first = eye_of(recorded, stage, "top", 1, now).picture(now, now)
    second = eye_of(recorded, stage, "top", SECOND, now).picture(now, now)
    scale = 320 / (2 * 45.0 * math.tan(math.radians(35.0)))
    shift = round(BESIDE * scale)
    assert noise_of(first[shift:, 100:220], second[:-shift, 100:220]) > noise_of(first[:-shift], second[shift:]) + 3.0


def test_a_camera_keeps_its_field_of_view_at_another_size(drive, tmp_path):
    settings = CameraSettings(width=100, height=50, focal_length=(80.0, 90.0), principal_point=(50.0, 20.0))
    other = resized(settings, (200, 200))
    assert (other.focal_length, other.principal_point) == ((160.0, 180.0), (100.0, 80.0))
    out = tmp_path / "large.mp4"
    done = dorosim(
        "video",
        drive,
        out,
        "--camera",
        CAMERA,
        "--to",
        "0.1",
        "--size",
        "192x128",
        "--fps",
        "50",
        "--data",
        drive.parent,
    )
    assert done.returncode == 0, done.stderr
    pictures, how = decoded(out)
    assert pictures.shape == (6, 128, 192, 3), "from the first tick at 0.01 s on"
    assert how[2] == 50


def test_a_camera_that_is_switched_off_is_still_there_to_look_through(tmp_path):
    def switch_off(run, tick):
        if tick == 20:
            run.loop.put(Source.PEER, SetSensor(CAMERA, enabled=False))

    path = tmp_path / "run.rec"
    record(path, 40, more=switch_off)
    drive = open_recording(path, None, tmp_path)
    made = make_video(drive, tmp_path / "x.mp4", VideoShot(camera=CAMERA, fps=10))
    assert (made.count, made.problem) == (5, "")
    assert make_video(drive, tmp_path / "y.mp4", VideoShot(camera=CAMERA, fps=10, begin=0.3, size=(64, 64))).count == 2


def test_a_video_ends_where_its_camera_is_taken_away(tmp_path):
    def remove(run, tick):
        if tick == 40:
            run.loop.put(Source.PEER, RemoveSensor(CAMERA))

    path = tmp_path / "run.rec"
    record(path, 60, more=remove)
    made = make_video(open_recording(path, None, tmp_path), tmp_path / "x.mp4", VideoShot(camera=CAMERA, fps=10))
    assert "taken away" in made.problem
    assert made.count == len(decoded(tmp_path / "x.mp4")[0]) == 4


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["x.mp4", "--camera", "9"], "no camera is sensor 9 at 0.01 s; there are 3"),
        (["x.mp4", "--view", "side"], "there is no 'side'; use chase, top, driver"),
        (["x.mp4", "--view", "top", "--camera", "3"], "both --camera and --view"),
        (["x.mp4", "--actor", "99"], "no vehicle has the id 99 at 0.01 s; ego vehicles: 1, 2"),
        (["x.mp4", "--size", "641x480"], "odd side; give --size 642x480"),
        (["x.mp4", "--size", "8x480"], "16 to 4096"),
        (["x.mp4", "--size", "large"], "write it as --size 1280x720"),
        (["x.mp4", "--fps", "0"], "give 1 to 120"),
        (["x.mp4", "--from", "2", "--to", "1"], "is not after"),
        (["x.mp4", "--from", "60"], "no tick then"),
        (["x.avi"], "end the name in .mp4"),
        (["/nowhere/x.mp4"], "there is no folder /nowhere"),
    ],
)
def test_wrong_input_is_refused_in_a_line_and_leaves_no_file(drive, tmp_path, arguments, words):
    name, *options = arguments
    out = name if name.startswith("/") else tmp_path / name
    done = dorosim("video", drive, out, *options, "--data", drive.parent)
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_recording_is_refused(tmp_path):
    path = tmp_path / "text.rec"
    path.write_text("text")
    done = dorosim("video", path, tmp_path / "x.mp4", "--data", tmp_path)
    assert done.returncode == 2
    assert "is not a dorosim recording" in done.stderr


def test_a_video_that_is_broken_off_leaves_what_was_there(tmp_path):
    out = tmp_path / "x.mp4"
    out.write_bytes(b"what was there")

    def broken_off():
        with VideoWriter(out, 32, 32, 10) as writer:
            writer.add(np.zeros((32, 32, 3), np.uint8))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        broken_off()
    assert out.read_bytes() == b"what was there"
    assert list(tmp_path.iterdir()) == [out]


def test_colours_come_back(tmp_path):
    out = tmp_path / "x.mp4"
    colours = ((255, 255, 255), (0, 0, 0), (200, 40, 40), (40, 160, 60), (50, 80, 200), (242, 178, 50))
    with VideoWriter(out, 64, 32, 5) as writer:
        for colour in colours:
            writer.add(np.full((32, 64, 3), colour, np.uint8))
    pictures, _ = decoded(out)
    for picture, colour in zip(pictures, colours, strict=True):
        assert np.abs(picture[8:-8, 8:-8].mean(axis=(0, 1)) - colour).max() < 4.0


def test_sizes_are_two_even_numbers():
    assert size_from_text("640X480") == (640, 480)
    with pytest.raises(InputError, match="is not a valid size"):
        size_from_text("640")
    with pytest.raises(InputError, match="4096"):
        check_size("x", 10_000, 480)


def test_without_the_extra_it_is_said_what_to_install(drive, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "av", None)
    done = dorosim("video", drive, tmp_path / "x.mp4", "--data", drive.parent)
    assert done.returncode == 2
    assert "pip install 'dorosim[video]'" in done.stderr
