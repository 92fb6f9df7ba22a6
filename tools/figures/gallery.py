"""Forty pictures of places, hours, weathers and cameras, to be looked at: would a stranger name weather and hour?

`python -m tools.figures.gallery FOLDER` writes four sheets of ten. Weathers come by the
commands that users give, at once, with the water and the snow that they leave on the ground.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dorosim.app.serve.sensor.shot import SensorSession, write_picture
from dorosim.app.setting.settings import EgoSettings, SensorRow, Settings, TrafficSettings
from dorosim.ground.noise import Noise
from dorosim.world.environment.command import SetSeason, SetTimeOfDay, SetWeather
from dorosim.world.environment.weather import Season, WeatherKind
from dorosim.world.mount.setting import CameraExposure, CameraImage
from dorosim.world.step import step

SIZE = (400, 225)
COLUMNS = 2
AFTER = 31.0
"""Simulated time before the pictures [s]: vehicles and people are on their way."""
CROSSING, STREET, CORNER, LANE, EASTWARD, WESTWARD = (
    (112.3, -93.0, 89.0),
    (112.3, -60.0, 89.0),
    (112.3, -93.0, 60.0),
    (112.3, 20.0, 89.0),
    (60.0, -71.6, 1.0),
    (60.0, -68.4, 181.0),
)


@dataclass(frozen=True)
class Scene:
    """One picture: what it is called, and what it shows."""

    name: str
    hour: float
    weather: WeatherKind = WeatherKind.SUNNY
    season: Season = Season.SPRING
    place: tuple[float, float, float] = CROSSING
    camera: dict[str, Any] = field(default_factory=dict)


W, S = WeatherKind, Season
SHEETS: dict[str, tuple[Scene, ...]] = {
    "hours": (
        Scene("before dawn, 5 h", 5.0), Scene("dawn, 5.4 h", 5.4, place=EASTWARD),
        Scene("sunrise, 5.8 h", 5.8, place=EASTWARD),
        Scene("morning, 8 h", 8.0), Scene("noon, 12 h", 12.0), Scene("late afternoon, 17 h", 17.0),
        Scene("sunset, 18.2 h", 18.2, place=WESTWARD), Scene("dusk, 18.7 h", 18.7, place=WESTWARD),
        Scene("evening, 20 h", 20.0), Scene("night, 2 h", 2.0),
    ),
    "weathers": (
        Scene("cloudy noon", 12.0, W.CLOUDY, place=STREET), Scene("cloudy dusk", 18.7, W.CLOUDY, place=STREET),
        Scene("fog at noon", 12.0, W.FOGGY, place=STREET), Scene("fog at night", 22.0, W.FOGGY, place=STREET),
        Scene("rain at noon", 12.0, W.RAINY, place=STREET), Scene("rain at night", 22.0, W.RAINY, place=STREET),
        Scene("storm in the afternoon", 15.0, W.STORM, place=STREET),
        Scene("snow at noon", 12.0, W.SNOWY, S.WINTER, STREET), Scene("snow at dusk", 17.0, W.SNOWY, S.WINTER, STREET),
        Scene("snow at night", 22.0, W.SNOWY, S.WINTER, STREET),
    ),
    "places": (
        Scene("corner, morning", 9.0, place=CORNER), Scene("corner, night", 21.0, place=CORNER),
        Scene("lane, noon", 12.0, place=LANE), Scene("lane, night", 21.0, place=LANE),
        Scene("lane, winter afternoon", 15.5, season=S.WINTER, place=LANE),
        Scene("street, summer", 10.0, season=S.SUMMER, place=STREET),
        Scene("street, autumn evening", 17.2, season=S.FALL, place=STREET), Scene("street, night", 23.9, place=STREET),
        Scene("corner, rain", 13.0, W.RAINY, place=CORNER), Scene("lane, fog at dawn", 6.2, W.FOGGY, place=LANE),
    ),
    "cameras": (
        Scene("own vehicle", 12.0, camera={"own_vehicle": True}),
        Scene("own vehicle at night", 21.0, camera={"own_vehicle": True}),
        Scene("metered by day", 12.0, camera={"exposure_mode": int(CameraExposure.AUTO)}),
        Scene("metered at night, with noise", 22.0, camera={"exposure_mode": int(CameraExposure.AUTO), "noise": True}),
        Scene("too short by hand", 12.0, camera={"exposure_mode": int(CameraExposure.MANUAL), "exposure_time": 2e-5}),
        Scene("noise by day, 8 bits", 12.0, camera={"noise": True, "full_well": 1000.0, "bits": 8}),
        Scene("wide and bent", 12.0, camera={"fov": 1.9, "distortion": (-0.12, 0.01, 0.0)}),
        Scene("telephoto at dusk", 18.8, camera={"fov": 0.35}),
        Scene("classes at night", 22.0, camera={"image": int(CameraImage.SEMANTIC)}),
        Scene("depth in fog", 12.0, W.FOGGY, camera={"image": int(CameraImage.DEPTH)}),
    ),
}  # fmt: skip


def draw_all(folder: Path) -> Iterator[Path]:
    """Write all sheets into a folder; yields their paths."""
    for name, scenes in SHEETS.items():
        path = folder / f"pictures-{name}.jpg"
        write_picture(path, sheet_of([picture_of(scene) for scene in scenes]))
        yield path


def picture_of(scene: Scene) -> NDArray[np.uint8]:
    """The picture of one scene, `(H, W, 3)`."""
    width, height = SIZE
    row = SensorRow(
        kind="camera",
        position=(1.5, 0.0, 1.4),
        settings={"width": width, "height": height, "samples": 4, **scene.camera},
    )
    settings = Settings(seed=1, ego=(EgoSettings(pose=scene.place),), traffic=TrafficSettings(160, 80), sensor=(row,))
    session = SensorSession(settings, AFTER)
    weather = (SetSeason(scene.season), SetWeather(scene.weather), SetTimeOfDay(scene.hour * 3600.0))
    (reading,) = session.look(step(session.ready.scene, session.now, weather, Noise(settings.seed)))
    image: NDArray[np.uint8] = reading.image  # type: ignore[attr-defined]
    return image


def sheet_of(pictures: list[NDArray[np.uint8]]) -> NDArray[np.uint8]:
    """Pictures in rows of `COLUMNS`."""
    rows = [np.hstack(pictures[start : start + COLUMNS]) for start in range(0, len(pictures), COLUMNS)]
    return np.ascontiguousarray(np.vstack(rows))


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/images")
    target.mkdir(parents=True, exist_ok=True)
    for written in draw_all(target):
        print(f"drawn: {written}")  # noqa: T201
