"""A camera on a mount: from the mount's settings to readings."""

from __future__ import annotations

from dorosim.sensor.camera.camera import Camera, CameraPicture, Exposure
from dorosim.sensor.camera.light import light_of
from dorosim.sensor.camera.palette import depth_picture, instance_picture, semantic_picture
from dorosim.sensor.camera.setting import CameraModel
from dorosim.sensor.reading import CameraReading, ImageArray
from dorosim.sensor.sensor_input import SensorInput
from dorosim.world.mount.setting import CameraImage, CameraSettings
from dorosim.world.mount.state import Mount
from dorosim.world.scene import Scene


class MountedCamera:
    """A camera on a mount.

    Args:
        settings: of the mount.
    """

    def __init__(self, settings: CameraSettings) -> None:
        self._settings = settings
        self._camera = Camera(camera_setting(settings), lean=True)

    def read(self, inputs: SensorInput) -> CameraReading:
        """A picture."""
        work = self.begin(inputs)
        inputs.pool.map(work.part, range(work.parts))
        return work.reading()

    def begin(self, inputs: SensorInput) -> CameraWork:
        """Begin a picture."""
        pose = inputs.map_from_sensor
        light = light_of(inputs.now.environment, self._settings.exposure)
        shot = self._camera.begin(inputs.view(), pose.position, pose.rotation, light, inputs.own)
        return CameraWork(self._settings, shot, inputs)


class CameraWork:
    """A picture that is being taken, whose parts threads share among them.

    Args:
        settings: of the mount.
        shot: the picture.
        inputs: what it is taken from.

    Attributes:
        parts: how many there are.
    """

    def __init__(self, settings: CameraSettings, shot: Exposure, inputs: SensorInput) -> None:
        self.parts = shot.bands
        self._settings, self._shot, self._inputs = settings, shot, inputs

    def part(self, number: int) -> None:
        """Do one part."""
        self._shot.expose(number)

    def reading(self) -> CameraReading:
        """The reading, once all parts are done."""
        settings, mount, inputs = self._settings, self._inputs.mount, self._inputs
        picture, wants = self._shot.picture(inputs.pool), settings.image
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
