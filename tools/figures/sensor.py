"""Pictures of the documentation: what a camera and a lidar see of the built-in town."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from dorosim.app.analyse.plot.lidar import plot_turn
from dorosim.app.serve.sensor.shot import shoot, turn_of, write_picture
from dorosim.app.setting.settings import EgoSettings, Settings, TrafficSettings

WORLD = Settings(
    seed=1,
    ego=(EgoSettings(pose=(112.3, -93.0, 89.0)),),
    traffic=TrafficSettings(vehicles=160, pedestrians=80),
)
"""The ego vehicle stands before a crosswalk with lights."""
AFTER = 31.0
"""Simulated time before the pictures [s]: people cross."""


def draw_all(folder: Path) -> Iterator[Path]:
    """Write all pictures into a folder; yields their paths."""
    shot = folder / "camera.jpg"
    write_picture(shot, shoot("camera", WORLD, AFTER, "all"))
    yield shot
    turn = folder / "lidar.png"
    plot_turn(turn_of("lidar", WORLD, AFTER), turn)
    yield turn
