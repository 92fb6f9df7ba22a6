"""Sensors of every kind on the first ego vehicle of a run, read in every tick and saved as messages ask for it."""

from __future__ import annotations

from pathlib import Path

from dorosim.app.store.scene import sensor_scene
from dorosim.bridge.sensor.packet import Packer
from dorosim.endpoint.sensor.station import SensorStation
from dorosim.ground.noise import Noise
from dorosim.sensor.rig import Rig as SensorRig
from dorosim.wire.udp.revision import DEFAULT_REVISION
from dorosim.world.mount.command import AddSensor
from dorosim.world.mount.setting import (
    SETTINGS,
    CameraImage,
    CameraSettings,
    Lidar3dSettings,
    LidarModel,
    SensorKind,
)
from tests.system.rig import EPOCH, Rig

SMALL = tuple(CameraSettings(width=16, height=12, image=image, boxes=True) for image in CameraImage)
KINDS = (*SMALL, *(SETTINGS[kind]() for kind in SensorKind if kind is not SensorKind.CAMERA))
KINDS += (Lidar3dSettings(model=LidarModel.HDL_64E),)


class Sensing:
    """All kinds of sensors on the first ego vehicle; they send nothing.

    Args:
        run: it has not begun.
        seed: of the run.
    """

    def __init__(self, run: Rig, seed: int) -> None:
        self._run = run
        self._archive = Path(run.archive.place)
        rig = SensorRig(run.built.scene, Noise(seed), lambda: sensor_scene(run.built))
        nowhere = dict.fromkeys(range(1, len(KINDS) + 1))
        self.station = SensorStation(rig, Packer(DEFAULT_REVISION, EPOCH), nowhere, run.journal)
        run.archive.station = lambda: self.station
        ego = run.built.first.egos[0]
        run.put(*(AddSensor(ego, settings=settings, sensor=n) for n, settings in enumerate(KINDS, 1)))

    def check(self, folder: Path, before: set[Path]) -> None:
        """All files are whole and where they should be.

        Args:
            folder: around the archive.
            before: what stood there before the run.
        """
        self.station.close()
        counts = self._run.journal.counts
        assert self.station.readings > 0
        assert counts["sensor error"] == 0, self._run.told
        assert counts["sensor data saved"] > 0
        for path in set(folder.rglob("*")) - before:
            assert path.is_relative_to(self._archive), f"{path} is out of the archive"
            assert path.suffix != ".part", f"{path} is half a file"
            assert path.is_dir() or path.stat().st_size > 0
