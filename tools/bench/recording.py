"""What is made of a recording of the town: plots beside its bare replay, videos beside bare rays and bare encoding."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from dorosim.app.analyse.plot.picture import draw_picture
from dorosim.app.analyse.plot.run_plot import plot_of, title_of
from dorosim.app.analyse.trace.recorded import Recorded, open_recording
from dorosim.app.analyse.trace.trace import trace_of
from dorosim.app.analyse.video.encoder import VideoWriter
from dorosim.app.analyse.video.eye import FIELD
from dorosim.app.analyse.video.shot import USUAL_SIZE, VideoShot, make_video
from dorosim.app.store.picture_file import save_figure
from dorosim.app.store.scene import sensor_scene
from dorosim.ground.noise import Noise
from dorosim.sensor.camera.light import light_of
from dorosim.sensor.scene.bare_kernel import cast_bare
from dorosim.world.step import step
from tools.bench.figure import Figure
from tools.bench.sensor import camera_directions

SECONDS, LONG_S = 60.0, 600.0
"""Simulated time that is recorded, and that of the plot whose time is promised [s]."""
PLOT_S, PLOT_RATIO = 15.0, 1.6
"""A plot of ten minutes of 120 actors takes so long at most [s], and so many times its bare replay."""
VIDEO_FROM, VIDEO_S, FPS = 20.0, 3.0, 30
VIDEO_RATIO = 2.0
"""Processor time of a video over that of bare rays, bare encoding and bare replay of the same."""
RAY_RANGE = 1e30


def figures() -> Iterator[Figure]:
    """Plots and videos of a minute of the town with 120 actors."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        file = folder / "town.rec"
        command = [sys.executable, "-m", "dorosim", "run", "-q", "--ports", "auto", "--no-view", "--grpc", "off"]
        command += ["--ros-server", "off", "--speed", "max", "--vehicles", "100", "--pedestrians", "19"]
        command += ["--duration", str(SECONDS), "--record", str(file), "--data", place]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        recorded = open_recording(file, None, folder)
        _replay(recorded, 500)  # kernels are loaded
        yield from _plot(recorded, folder)
        yield from _video(recorded, folder)


def _plot(recorded: Recorded, folder: Path) -> Iterator[Figure]:
    trace_of(recorded, end=1.0)
    replay = _processor_time(lambda: _replay(recorded))
    traced = _processor_time(lambda: trace_of(recorded))
    trace = trace_of(recorded)

    def draw() -> None:
        plot = plot_of(trace, recorded.ready.scene.network, title_of(recorded, trace), (), None)
        save_figure(draw_picture(plot), folder / "town.png")

    draw()
    drawn = _processor_time(draw)
    long = traced * LONG_S / SECONDS
    parts = f"reading {long:.1f} s, drawing {drawn:.1f} s; reckoned from {SECONDS:g} s"
    yield Figure("plot of ten minutes of 120 actors", long + drawn, "s", PLOT_S, at_most=True, detail=parts)
    parts = f"{traced:.2f} s, bare replay with every digest {replay:.2f} s"
    yield Figure("reading a plot, to bare replay", traced / replay, "x", PLOT_RATIO, at_most=True, detail=parts)


def _video(recorded: Recorded, folder: Path) -> Iterator[Figure]:
    def make(seconds: float) -> int:
        shot = VideoShot(begin=VIDEO_FROM, end=VIDEO_FROM + seconds, fps=FPS)
        return make_video(recorded, folder / "town.mp4", shot).count

    make(0.1)
    begun = time.perf_counter()
    before = _processor_time(lambda: make(0.5 / FPS))
    head = time.perf_counter() - begun
    begun = time.perf_counter()
    ours = _processor_time(lambda: make(VIDEO_S)) - before
    wall = time.perf_counter() - begun - head
    pictures = round(VIDEO_S * FPS)
    floor = _bare_rays(recorded) * pictures + _bare_encoding(folder, pictures)
    floor += _processor_time(lambda: _replay(recorded, round(VIDEO_S * 100)))
    yield Figure(
        "video of 1280x720, to real time", VIDEO_S / wall, "x", 1.0, detail=f"{pictures} pictures in {wall:.2f} s"
    )
    parts = f"processor time {ours:.2f} s, bare {floor:.2f} s"
    yield Figure("video, to bare rays and encoding", ours / floor, "x", VIDEO_RATIO, at_most=True, detail=parts)


def _bare_rays(recorded: Recorded) -> float:
    """Processor time of the rays of a picture from the driver's place, and one to the sun from each hit [s]."""
    scene = sensor_scene(recorded.ready)
    now = recorded.ready.first
    view, light = scene.update(now), light_of(now.environment)
    direction = camera_directions(*USUAL_SIZE, float(np.degrees(FIELD)))
    eye = np.array((now.vehicle.x[0], now.vehicle.y[0], now.vehicle.z[0] + 3.0))
    origin = (eye - view.origin).astype(np.float32)
    distance = np.empty(len(direction), np.float32)

    def cast() -> None:
        cast_bare(view.static, view.top, view.arguments, origin, direction, RAY_RANGE, light.toward_sun, distance)

    cast()
    return min(_processor_time(cast) for _ in range(5))


def _bare_encoding(folder: Path, count: int) -> float:
    """Processor time of the encoder for so many pictures that move [s]."""
    width, height = USUAL_SIZE
    grain = np.random.default_rng(1).integers(0, 40, (height, width, 3), dtype=np.uint8)
    ramp = np.linspace(0, 200, width, dtype=np.uint8)[None, :, None]
    pictures = [np.roll(grain // 4 + ramp, 4 * k, axis=1) for k in range(8)]

    def encode() -> None:
        with VideoWriter(folder / "bare.mp4", width, height, FPS) as writer:
            for k in range(count):
                writer.add(pictures[k % 8])

    return _processor_time(encode)


def _replay(recorded: Recorded, count: int | None = None) -> None:
    """Run ticks again and hash each state."""
    noise, now = Noise(recorded.header.seed), recorded.ready.first
    for tick in recorded.ticks[:count]:
        now = step(recorded.ready.scene, now, tick.commands, noise, paused=tick.held)
        now.digest()


def _processor_time(work: Callable[[], object]) -> float:
    """Of all threads of this process [s]."""
    begun = time.process_time()
    work()
    return time.process_time() - begun
