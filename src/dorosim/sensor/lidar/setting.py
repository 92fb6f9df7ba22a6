"""What a user sets of a lidar."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, cast, get_args

from dorosim.ground.error import InputError
from dorosim.sensor.lidar.model import MODELS, LidarSpec
from dorosim.world.mount.setting import LidarIntensity

ReturnMode = Literal["strongest", "last", "dual"]
Intensity = Literal["reflectivity", "semantic", "instance"]
MIN_TURN_RATE, MAX_TURN_RATE = 5.0, 20.0
"""Turns a second that the sensors reach."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LidarSetting:
    """A spinning lidar as it is set.

    Attributes:
        model: a name in `model.MODELS`.
        rate: turns a second, 5 to 20.
        return_mode: which echo of a firing is reported: that of the beam's middle, the last, or both.
        intensity: what the intensity means: reflectivity as a calibrated Velodyne has it (0 to 100 diffuse, above it
            retroreflectors), the number of the semantic class (`sensor.scene.semantic.INTENSITY`), or the actor (1 to
            255, 0 for the static world).
        noise: standard deviation of the range [m]; None for the model's.
        drop_out: whether weak returns get lost.
        nearest, farthest: limits of the range [m]; None for the model's.
        sweep: whether each laser of a block is cast at the azimuth that it has when it fires; None for what the reader
            expects (`LidarSpec.sweeps`, `LidarSpec.driver_sweeps`).
        focus: for which readers points lie on what was hit. True: for readers as velodyne_decoder, by the manual:
            lasers of VLP-16 and HDL-32E start where the lens puts them, up to 17 mm from the middle, and a packet turns
            evenly. False: for the public ROS driver, velodyne_pointcloud, whose calibrations of them have no offsets,
            and which works out azimuths in its own way (`dorosim.sensor.lidar.firing`).
    """

    model: str = "VLP-16"
    rate: float = 10.0
    return_mode: ReturnMode = "strongest"
    intensity: Intensity = "reflectivity"
    noise: float | None = None
    drop_out: bool = True
    nearest: float | None = None
    farthest: float | None = None
    sweep: bool | None = None
    focus: bool = False

    def __post_init__(self) -> None:
        """Check what was set.

        Raises:
            InputError: a value cannot be used.
        """
        _one_of("model", self.model, tuple(MODELS))
        _one_of("return_mode", self.return_mode, get_args(ReturnMode))
        _one_of("intensity", self.intensity, get_args(Intensity))
        _within("rate", self.rate, MIN_TURN_RATE, MAX_TURN_RATE)
        if abs(self.rpm - 60.0 * self.rate) > 1e-6:
            raise InputError("lidar", "rate", f"{self.rate:g} Hz is no whole number of turns a minute")
        for name, value in (("noise", self.noise), ("nearest", self.nearest), ("farthest", self.farthest)):
            if value is not None:
                _within(name, value, 0.0, 131.0)
        if self.range[0] >= self.range[1]:
            raise InputError("lidar", "nearest", f"{self.range[0]:g} m is not below farthest, {self.range[1]:g} m")

    @property
    def kind(self) -> LidarSpec:
        """The model itself."""
        return MODELS[self.model]

    @property
    def sweeps(self) -> bool:
        """Whether each laser of a block is cast at an azimuth of its own."""
        if self.sweep is not None:
            return self.sweep
        return self.kind.sweeps if self.focus else self.kind.driver_sweeps

    @property
    def rpm(self) -> int:
        """Turns a minute, which is how the sensors are set."""
        return round(60.0 * self.rate)

    @property
    def range(self) -> tuple[float, float]:
        """Nearest and farthest range [m]."""
        nearest = self.kind.nearest if self.nearest is None else self.nearest
        farthest = self.kind.farthest if self.farthest is None else self.farthest
        return nearest, farthest

    @property
    def returns(self) -> int:
        """How many returns of a firing are reported."""
        return 2 if self.return_mode == "dual" else 1


def intensity_name(intensity: LidarIntensity) -> Intensity:
    """What an intensity means, in a word of `LidarSetting`."""
    return cast(Intensity, intensity.name.lower())


def _one_of(name: str, value: str, choice: tuple[str, ...]) -> None:
    if value not in choice:
        raise InputError("lidar", name, f"{value!r} is not known", f"choose one of {', '.join(choice)}")


def _within(name: str, value: float, low: float, high: float) -> None:
    if not math.isfinite(value) or not low <= value <= high:
        raise InputError("lidar", name, f"{value:g} is not between {low:g} and {high:g}")
