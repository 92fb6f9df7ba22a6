"""A camera on a mount: from the mount's settings to readings."""

from __future__ import annotations

import msgspec
import numpy as np

from dorosim.sensor.camera.camera import Camera, CameraPicture, Exposure
from dorosim.sensor.camera.imager import ExposureSetting, imager_of, manual_exposure, split_exposure
from dorosim.sensor.camera.light import SceneLight, light_of
from dorosim.sensor.camera.metering import Meter
from dorosim.sensor.camera.palette import depth_picture, instance_picture, semantic_picture
from dorosim.sensor.camera.picture_weather import NO_SURROUNDINGS, PictureSurroundings
from dorosim.sensor.camera.readout import Readout
from dorosim.sensor.camera.setting import CameraModel
from dorosim.sensor.camera.shutter import CameraTravel, ShutterTimes, shoot_moving
from dorosim.sensor.camera.surroundings import CameraSurroundings
from dorosim.sensor.pool import Pool
from dorosim.sensor.reading import CameraReading, ImageArray
from dorosim.sensor.sensor_input import SensorInput
from dorosim.world.mount.setting import CameraExposure, CameraImage, CameraSettings
from dorosim.world.mount.state import Mount
from dorosim.world.scene import Scene
from dorosim.world.storyboard.sun import set_sun

FIRST_LOOKS = 4
"""Small pictures by which a camera finds the exposure of its first one."""
_FIRST_WIDTH = 64


class MountedCamera:
    """A camera on a mount.

    Args:
        settings: of the mount.
    """

    def __init__(self, settings: CameraSettings) -> None:
        self._settings = settings
        model = camera_setting(settings)
        self._camera = Camera(model, lean=True)
        self._surroundings = CameraSurroundings(settings)
        self._meter: Meter | None = None
        if settings.exposure_mode is CameraExposure.AUTO and settings.image is CameraImage.RGB:
            self._meter = Meter(settings.exposure_lag, settings.exposure)
            self._small = Camera(small_model(model), lean=True)

    def read(self, inputs: SensorInput) -> CameraReading:
        """A picture."""
        work = self.begin(inputs)
        inputs.pool.map(work.part, range(work.parts))
        return work.reading()

    def begin(self, inputs: SensorInput) -> CameraWork:
        """Begin a picture."""
        settings, pose = self._settings, inputs.map_from_sensor
        light = light_of(inputs.now.environment, settings.exposure, set_sun(inputs.now.storyboard))
        own, through = (0, inputs.mount.actor) if settings.own_vehicle else (inputs.own, 0)
        exposure = self._exposure(inputs, light)
        light = light._replace(gain=np.float32(exposure.total))
        readout = None
        if settings.noise:
            name = f"sensor/{inputs.mount.id}/pixels"
            readout = Readout(imager_of(settings, exposure), inputs.noise, name, inputs.now.tick)
        around = self._around(inputs, exposure)
        times = self._shutter(exposure)
        shot: Exposure | TakenPicture
        if times is not None and inputs.view_at is not None:
            travel = CameraTravel(
                inputs.motion_before.pose @ inputs.body_from_sensor,
                pose,
                (inputs.now.time - inputs.before.time) * 1e-9,
                inputs.view_at,
            )
            shot = TakenPicture(
                shoot_moving(
                    self._camera,
                    travel,
                    light,
                    times,
                    inputs.pool,
                    own,
                    readout=readout,
                    through=through,
                    around=around,
                )
            )
        else:
            shot = self._camera.begin(
                inputs.view(), pose.position, pose.rotation, light, own, readout=readout, through=through, around=around
            )
        return CameraWork(settings, shot, inputs, self._meter, exposure.total)

    def _shutter(self, exposure: ExposureSetting) -> ShutterTimes | None:
        """When rows gather light; None where all do at one moment."""
        settings = self._settings
        steps = settings.blur_samples if settings.image is CameraImage.RGB else 1
        if settings.readout_time == 0.0 and steps == 1:
            return None
        return ShutterTimes(settings.readout_time, exposure.time, steps)

    def _around(self, inputs: SensorInput, exposure: ExposureSetting) -> PictureSurroundings:
        """The weather around it; pictures without colours show none."""
        if self._settings.image is not CameraImage.RGB:
            return NO_SURROUNDINGS
        return self._surroundings.at(inputs, exposure.time, self._camera.rays, self._settings.width)

    def _exposure(self, inputs: SensorInput, light: SceneLight) -> ExposureSetting:
        """The exposure of a picture."""
        settings, meter = self._settings, self._meter
        if settings.exposure_mode is CameraExposure.MANUAL:
            return manual_exposure(settings)
        total = float(light.gain)
        if meter is not None:
            if meter.begins_at(inputs.now.time):
                self._look_ahead(inputs, light, meter)
            total = meter.exposure_at(inputs.now.time)
        return split_exposure(total, settings.max_exposure_time)

    def _look_ahead(self, inputs: SensorInput, light: SceneLight, meter: Meter) -> None:
        """Find the exposure of a first picture, by small ones."""
        pose = inputs.map_from_sensor
        meter.begin(float(light.gain))
        for _ in range(FIRST_LOOKS):
            total = meter.exposure_at(inputs.now.time)
            exposed = light._replace(gain=np.float32(total))
            picture = self._small.shoot(inputs.view(), pose.position, pose.rotation, exposed, inputs.own)
            assert picture.rgb is not None
            meter.saw(picture.rgb, total, None)


def small_model(model: CameraModel) -> CameraModel:
    """The same lens with few pixels."""
    share = _FIRST_WIDTH / model.width
    fx, fy, cx, cy = (share * number for number in model.intrinsics)
    height = max(round(share * model.height), 1)
    return msgspec.structs.replace(
        model,
        width=_FIRST_WIDTH,
        height=height,
        focal_length=(max(fx, 1.0), max(fy, 1.0)),
        principal_point=(cx, cy),
        boxes=False,
        samples=1,
    )


class TakenPicture:
    """A picture that is there as a whole, where others are exposed in parts.

    Args:
        made: the picture.

    Attributes:
        bands: none is left.
    """

    def __init__(self, made: CameraPicture) -> None:
        self.bands = 0
        self._made = made

    def expose(self, _: int) -> None:
        """Do nothing."""

    def picture(self, _: Pool | None = None) -> CameraPicture:
        """The picture."""
        return self._made


class CameraWork:
    """A picture that is being taken, whose parts threads share among them.

    Args:
        settings: of the mount.
        shot: the picture.
        inputs: what it is taken from.
        meter: takes the picture in; None for none.
        exposure: what radiances are multiplied by.

    Attributes:
        parts: how many there are.
    """

    def __init__(
        self,
        settings: CameraSettings,
        shot: Exposure | TakenPicture,
        inputs: SensorInput,
        meter: Meter | None,
        exposure: float,
    ) -> None:
        self.parts = shot.bands
        self._meter, self._exposure = meter, exposure
        self._settings, self._shot, self._inputs = settings, shot, inputs

    def part(self, number: int) -> None:
        """Do one part."""
        self._shot.expose(number)

    def reading(self) -> CameraReading:
        """The reading, once all parts are done."""
        settings, mount, inputs = self._settings, self._inputs.mount, self._inputs
        picture, wants = self._shot.picture(inputs.pool), settings.image
        if self._meter is not None and picture.rgb is not None:
            self._meter.saw(picture.rgb, self._exposure, inputs.now.time)
        return CameraReading(
            sensor=mount.id,
            time=inputs.now.time,
            image=_shown(picture, settings),
            depth=picture.depth if wants is CameraImage.DEPTH else None,
            semantic=picture.semantic if wants is CameraImage.SEMANTIC else None,
            instance=picture.instance if wants is CameraImage.INSTANCE else None,
            boxes=picture.boxes if settings.boxes else None,
            quality=settings.quality,
        )


def camera_setting(settings: CameraSettings) -> CameraModel:
    """What a camera needs to know of its mount's settings.

    Raises:
        InputError: no camera can be so.
    """
    k1, k2, k3 = settings.distortion
    p1, p2 = settings.tangential
    return CameraModel(
        width=settings.width,
        height=settings.height,
        field_of_view=settings.fov,
        focal_length=settings.focal_length,
        principal_point=settings.principal_point,
        distortion=(k1, k2, p1, p2, k3),
        rgb=settings.image is CameraImage.RGB,
        depth=settings.image is CameraImage.DEPTH,
        semantic=settings.image is CameraImage.SEMANTIC,
        instance=settings.image is CameraImage.INSTANCE,
        boxes=settings.boxes,
        quality=settings.quality,
        exposure=settings.exposure,
        near=settings.near,
        far=settings.far,
        samples=settings.samples,
    )


def make_camera(mount: Mount, _: Scene) -> MountedCamera:
    """The camera of a mount.

    Raises:
        InputError: no camera can be so.
    """
    assert isinstance(mount.settings, CameraSettings)
    return MountedCamera(mount.settings)


def _shown(picture: CameraPicture, settings: CameraSettings) -> ImageArray:
    if settings.image is CameraImage.DEPTH:
        return depth_picture(picture.depth, settings.near, settings.far)
    if settings.image is CameraImage.SEMANTIC:
        return semantic_picture(picture.semantic)
    if settings.image is CameraImage.INSTANCE:
        return instance_picture(picture.instance)
    assert picture.rgb is not None
    return picture.rgb
