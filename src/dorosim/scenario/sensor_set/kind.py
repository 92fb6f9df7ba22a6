"""How a sensor set file holds each kind of sensor: its list, its block, and what they mean as settings.

Numbers of dorosim's own, which the product's files do not have, are not written.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from types import GenericAlias
from typing import Any

from msgspec import field

from dorosim.scenario.sensor_set.record import (
    AXES,
    ERRORS,
    Block,
    CameraBlock,
    Gaussian,
    ImuBlock,
    LidarBlock,
    Pixel,
    SensorSetFile,
    SensorSetItem,
    item_record,
    made_record,
)
from dorosim.world.mount.setting import (
    AnySettings,
    CameraImage,
    CameraSettings,
    GpsSettings,
    GroundTruthSettings,
    ImuSettings,
    Lidar2dSettings,
    Lidar3dSettings,
    LidarIntensity,
    LidarModel,
    RadarSettings,
    SensorKind,
    UltrasonicSettings,
)

LIDAR_MODELS = {0: LidarModel.VLP_16, 1: LidarModel.HDL_32E, 2: LidarModel.HDL_64E}
"""lidar3DType; of its codes only 0 and 13 have been seen in files, with no word of what they mean."""
UNKNOWN_LISTS = {"light": "LightList", "delphi_radar": "DelphiRadarList", "radar_4d": "Radar4DList"}
"""Lists that dorosim has no sensors for, which are kept: attribute and key."""
Values = dict[str, Any]


def _nothing(_settings: Any, _period: float) -> Values:
    return {}


@dataclass(frozen=True, slots=True)
class SensorEntry:
    """How a file holds a kind of sensor.

    Attributes:
        list_key: of the list of its sensors.
        block_key: of the block that each of them has.
        settings: what a block means; what it does not say is as usual.
        values: what a block says of settings, by attribute; the period of the sensor [s] is given.
        block: what the block holds; of radars, ultrasonic and ground truth sensors no file shows more than all have.
        required: whether the block must be there.
        noise: whether it has the noise that all blocks have; that of an IMU stands in its own keys.
    """

    list_key: str
    block_key: str
    settings: Callable[[Any], AnySettings]
    values: Callable[[Any, float], Values] = _nothing
    block: type[Block] = Block
    required: bool = False
    noise: bool = True

    @property
    def item(self) -> type[SensorSetItem]:
        """The record of one sensor in the list."""
        return item_record(self.block_key, self.block, required=self.required)


def _camera(block: CameraBlock) -> CameraSettings:
    focal = block.focal_length_pixels
    centre = block.principal_point
    k1, k2, p1, p2, k3 = _distortion(block.distortion)
    return CameraSettings(
        width=block.width,
        height=block.height,
        fov=math.radians(block.fov_deg),
        focal_length=(focal, focal) if block.parameters and focal > 0.0 else None,
        principal_point=(centre.x, centre.y) if centre and (centre.x or centre.y) else None,
        distortion=(k1, k2, k3),
        tangential=(p1, p2),
        image=CameraImage(block.image) if block.image in tuple(CameraImage) else CameraImage.RGB,
        boxes=block.boxes or block.boxes_2d or block.boxes_3d,
        quality=block.quality,
        near=block.near,
        far=block.far,
    )


def _distortion(given: tuple[float, ...]) -> tuple[float, float, float, float, float]:
    """k1, k2, p1, p2, k3: up to three numbers are k1, k2, k3, as in the product; four and more in OpenCV's order."""
    if len(given) <= 3:
        k1, k2, k3 = (*given, 0.0, 0.0, 0.0)[:3]
        return k1, k2, 0.0, 0.0, k3
    k1, k2, p1, p2, k3 = (*given, 0.0)[:5]
    return k1, k2, p1, p2, k3


def _camera_values(settings: CameraSettings, _period: float) -> Values:
    centre = settings.principal_point
    k1, k2, k3 = settings.distortion
    values: Values = {
        "parameters": 0 if settings.focal_length is None else 1,
        "width": settings.width,
        "height": settings.height,
        "quality": settings.quality,
        "fov_deg": math.degrees(settings.fov),
        "image": int(settings.image),
        "boxes": settings.boxes,
        "boxes_2d": settings.boxes,
        "boxes_3d": settings.boxes,
        "near": settings.near,
        "far": settings.far,
        "distortion": (k1, k2, *settings.tangential, k3) if any(settings.tangential) else settings.distortion,
    }
    if settings.focal_length is not None:
        values["focal_length_pixels"] = settings.focal_length[0]
    if centre is not None:
        values["principal_point"] = Pixel(x=centre[0], y=centre[1])
    return values


def _lidar_3d(block: LidarBlock) -> Lidar3dSettings:
    model = LIDAR_MODELS.get(block.model, LidarModel.VLP_16)
    return Lidar3dSettings(model=model, range=block.range, range_noise=_white(block), intensity=_intensity(block))


def _lidar_2d(block: LidarBlock) -> Lidar2dSettings:
    return Lidar2dSettings(range=block.range, range_noise=_white(block), intensity=_intensity(block))


def _intensity(block: LidarBlock) -> LidarIntensity:
    known = block.intensity in tuple(LidarIntensity)
    return LidarIntensity(block.intensity) if known else LidarIntensity.REFLECTIVITY


def _lidar_values(settings: Lidar3dSettings | Lidar2dSettings, period: float) -> Values:
    values: Values = {"intensity": int(settings.intensity)}
    if isinstance(settings, Lidar3dSettings):
        values["model"] = next(code for code, model in LIDAR_MODELS.items() if model is settings.model)
    if settings.range is not None:
        values["range"] = settings.range
    return values | _range_noise_values(settings, period)


def _white(block: Block) -> float:
    return block.gaussian.deviation if block.gaussian.active else 0.0


def _gaussian(deviation: float | None) -> Values:
    return {} if deviation is None else {"gaussian": Gaussian(active=deviation > 0.0, deviation=deviation)}


def _range_noise_values(
    settings: Lidar3dSettings | Lidar2dSettings | RadarSettings | UltrasonicSettings, _period: float
) -> Values:
    return _gaussian(settings.range_noise)


def _gps(block: Block) -> GpsSettings:
    noise = _white(block)
    return GpsSettings(white=(noise, noise, noise))


def _gps_values(settings: GpsSettings, _period: float) -> Values:
    return _gaussian(settings.white[0])


def _imu(block: Block) -> ImuSettings:
    """Numbers of each reading become densities: white noise by the root of the period, a walk by one over it."""
    root = math.sqrt(max(block.period, 1e-9))

    def of(name: str, axes: tuple[str, ...], factor: float = 1.0) -> tuple[float, float, float]:
        parts = (getattr(block, f"{name}_{axis}") for axis in axes)
        x, y, z = (part.deviation * factor if part.active else 0.0 for part in parts)
        return x, y, z

    biases = [getattr(block, f"bias_{axis}") for axis in AXES]
    times = [part.correlation_time for part in biases if part.active and part.correlation_time > 0.0]
    return ImuSettings(
        acceleration_white=of("white", AXES[:3], root),
        rate_white=of("white", AXES[3:], root),
        acceleration_walk=of("walk", AXES[:3], 1.0 / root),
        rate_walk=of("walk", AXES[3:], 1.0 / root),
        acceleration_bias=of("bias", AXES[:3]),
        rate_bias=of("bias", AXES[3:]),
        bias_time=times[0] if times else ImuSettings().bias_time,
    )


def _imu_values(settings: ImuSettings, period: float) -> Values:
    """Densities as numbers of each reading: see `_imu`."""
    root = math.sqrt(period)
    factors = {"walk": root, "bias": 1.0, "white": 1.0 / root}
    values: Values = {}
    for name, (_, error) in ERRORS.items():
        densities = (*getattr(settings, f"acceleration_{name}"), *getattr(settings, f"rate_{name}"))
        more = {"correlation_time": settings.bias_time} if name == "bias" else {}
        for axis, density in zip(AXES, densities, strict=True):
            values[f"{name}_{axis}"] = error(active=density > 0.0, deviation=density * factors[name], **more)
    return values


def _radar(block: Block) -> RadarSettings:
    noise = _white(block)
    return RadarSettings(range_noise=noise) if noise else RadarSettings()


def _ultrasonic(block: Block) -> UltrasonicSettings:
    noise = _white(block)
    return UltrasonicSettings(range_noise=noise) if noise else UltrasonicSettings()


ENTRIES: dict[SensorKind, SensorEntry] = {
    SensorKind.CAMERA: SensorEntry("cameraList", "cc", _camera, _camera_values, CameraBlock, True, noise=False),
    SensorKind.LIDAR_3D: SensorEntry("Lidar3DList", "lc", _lidar_3d, _lidar_values, LidarBlock, True),
    SensorKind.LIDAR_2D: SensorEntry("Lidar2DList", "lc", _lidar_2d, _lidar_values, LidarBlock, True),
    SensorKind.GPS: SensorEntry("GPSList", "gc", _gps, _gps_values, required=True),
    SensorKind.IMU: SensorEntry("IMUList", "ic", _imu, _imu_values, ImuBlock, True, noise=False),
    SensorKind.RADAR: SensorEntry("RadarList", "rc", _radar, _range_noise_values),
    SensorKind.ULTRASONIC: SensorEntry("UltrasonicList", "uc", _ultrasonic, _range_noise_values),
    SensorKind.GROUND_TRUTH: SensorEntry("GroundTruthList", "gtc", lambda _: GroundTruthSettings(), noise=False),
}

SENSOR_SET_FILE = made_record(
    "SensorSetFile",
    SensorSetFile,
    [
        *(
            (kind.name.lower(), GenericAlias(tuple, (entry.item, ...)), field(name=entry.list_key, default=()))
            for kind, entry in ENTRIES.items()
        ),
        *((name, tuple[Any, ...] | None, field(name=key, default=None)) for name, key in UNKNOWN_LISTS.items()),
    ],
)
"""The record of a whole file."""
