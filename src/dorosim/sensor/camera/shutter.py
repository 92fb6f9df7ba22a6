"""The shutter of a camera: what moves while a picture is taken, rows that are read one after the other, and blur.

The last row is read at the snapshot's time and each row before it earlier, by its share of the read-out time
(C.-K. Liang et al., IEEE Transactions on Image Processing 17 (2008) 1323, for rolling shutters). A row gathers light
for the exposure time before it is read. That time is cut into equal parts, whose pictures are averaged before the
image sensor and the film curve: in linear light, as a pixel sums photons.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dorosim.sensor.camera.box import BoundingBoxes, boxes_of
from dorosim.sensor.camera.camera import BANDS, Camera, CameraPicture
from dorosim.sensor.camera.light import SceneLight
from dorosim.sensor.camera.picture_weather import NO_SURROUNDINGS, PictureSurroundings, weather_of
from dorosim.sensor.camera.ray_packet import Plane
from dorosim.sensor.camera.readout import Readout
from dorosim.sensor.camera.render_kernel import render_rows
from dorosim.sensor.camera.shading_tables import TONE_BITS, TONE_LOW
from dorosim.sensor.camera.shot import Shot
from dorosim.sensor.pool import Pool
from dorosim.sensor.pose import Pose
from dorosim.sensor.scene.instance import View

MAX_ROW_GROUPS: Final = 64
"""Groups of rows that share the poses of their middle row."""
_SMALL_TURN: Final = 1e-9


@dataclass(frozen=True, slots=True)
class ShutterTimes:
    """When the rows of a picture gather light.

    Attributes:
        readout: from the first row to the last [s].
        exposure: of each row [s].
        steps: parts of the exposure that are averaged; 1 takes it for a moment, in which the row is read.
    """

    readout: float
    exposure: float
    steps: int

    def ages(self, row: float, height: int) -> list[float]:
        """How long before the snapshot the middles of the parts of the exposure of a row are [s], oldest first.

        Args:
            row: may be between two rows.
            height: of the picture [rows].
        """
        read = self.readout * (1.0 - (row + 0.5) / height)
        if self.steps == 1:
            return [read]
        return [read + self.exposure * (1.0 - (k + 0.5) / self.steps) for k in range(self.steps)]


@dataclass(frozen=True, slots=True, eq=False)
class CameraTravel:
    """How a camera and all that it sees move between two snapshots; before the first, they go on evenly.

    Attributes:
        before, now: map-from-mount at the snapshots.
        duration: between them [s].
        view_at: the scene at a share of the way from `before` (0) to `now` (1); the view before it is no longer valid.
    """

    before: Pose
    now: Pose
    duration: float
    view_at: Callable[[float], View]

    def share(self, age: float) -> float:
        """The share of the way at an age [s]; 1 where there is no way."""
        return 1.0 - age / self.duration if self.duration > 0.0 else 1.0

    def pose(self, share: float) -> Pose:
        """The pose at a share of the way: straight, and turned about one axis."""
        earlier, later = self.before, self.now
        place = later.position + (1.0 - share) * (earlier.position - later.position)
        return Pose(place, later.rotation @ _part_of_turn(later.rotation.T @ earlier.rotation, 1.0 - share))


def shoot_moving(
    camera: Camera,
    travel: CameraTravel,
    light: SceneLight,
    times: ShutterTimes,
    pool: Pool,
    own: int = 0,
    readout: Readout | None = None,
    through: int = 0,
    around: PictureSurroundings = NO_SURROUNDINGS,
) -> CameraPicture:
    """Take a picture row group by row group; the scene is at `travel.now` again afterwards.

    Depths, classes and instances are those of the middle of a row's exposure, boxes those of the snapshot.

    Args:
        camera: with its lens.
        travel: of the camera and the scene.
        light: as of `Camera.shoot`.
        times: of the shutter.
        pool: workers.
        own: as of `Camera.shoot`.
        readout: of an image sensor with noise, or None.
        through: as of `Camera.begin`.
        around: as of `Camera.begin`. Drops and flakes are those of the snapshot: each is drawn as long as the exposure
            makes it.
    """
    settings = camera.settings
    linear = settings.rgb and (times.steps > 1 or readout is not None)
    whole = camera.plane(linear=linear)
    if linear:
        whole.linear[:] = 0.0
    seen = np.zeros(0, np.int32)
    here = camera.aim_at(travel.view_at(1.0), travel.now.position, travel.now.rotation, own, through)
    fall = weather_of(travel.view_at(1.0), here, light, camera.lens, around)
    dry = replace(around, precipitation=None, rays=None)
    lens = camera.rays if around.rays is None else around.rays
    for first, end in pairwise(_groups(times, settings.height)):
        ages = times.ages(0.5 * (first + end - 1), settings.height)
        for number, age in enumerate(ages):
            share = travel.share(age)
            pose, view = travel.pose(share), travel.view_at(share)
            middle = number == len(ages) // 2
            plane = _rows_of(whole, first, end, geometry=middle, linear=linear)
            aim = camera.aim_at(view, pose.position, pose.rotation, own, through)
            aim = aim._replace(rays=np.ascontiguousarray(lens[:, :, first:end]))
            shot = camera.shot(view, aim, light, dry)
            weather = shot.weather._replace(
                veil=fall.veil[first:end],
                veil_behind=fall.veil_behind[first:end],
                veil_light=fall.veil_light,
                veil_lit=fall.veil_lit[first:end],
                veil_mark=fall.veil_mark[first:end],
            )
            seen = _more(seen, _render(shot._replace(weather=weather), plane, end - first, pool))
            if linear:
                whole.linear[first:end] += plane.linear * np.float32(1.0 / len(ages))
    view = travel.view_at(1.0)
    raw = np.empty(whole.linear.shape, np.uint16)
    if readout is not None and linear:
        readout.develop(whole.linear, 0, settings.height, raw, whole.rgb)
    elif linear:
        whole.rgb[:] = _film(whole.linear, camera.tone)
    return _picture(camera, travel, view, whole, seen, raw if readout is not None and linear else None, own, pool)


def _render(shot: Shot, plane: Plane, rows: int, pool: Pool) -> NDArray[np.int32]:
    """Render all rows of a plane, and add up how many pixels each row of the view has."""
    parts = min(BANDS, rows)
    seen = np.zeros((parts, len(shot.view.actor)), np.int32)
    pool.map(
        lambda part: render_rows(shot, plane, rows * part // parts, rows * (part + 1) // parts, seen[part]),
        range(parts),
    )
    return np.asarray(seen.sum(axis=0, dtype=np.int32))


def _groups(times: ShutterTimes, height: int) -> list[int]:
    """First rows of the groups, and the row behind the last."""
    groups = min(MAX_ROW_GROUPS, height) if times.readout > 0.0 else 1
    return [height * k // groups for k in range(groups + 1)]


def _rows_of(whole: Plane, first: int, end: int, *, geometry: bool, linear: bool) -> Plane:
    """The rows `first` to `end - 1` of a picture: its colours, or new linear ones; and geometry, if it is wanted."""
    width = whole.depth.shape[1]
    lines = slice(first, end) if geometry else slice(0, 0)
    return Plane(
        whole.rgb[first:end],
        whole.depth[lines],
        whole.semantic[lines],
        whole.row[lines],
        np.empty((end - first, 3 * width), np.float32) if linear else whole.linear,
    )


def _more(total: NDArray[np.int32], seen: NDArray[np.int32]) -> NDArray[np.int32]:
    """Sums of pixels, which may have grown by rows."""
    if len(seen) > len(total):
        total = np.concatenate((total, np.zeros(len(seen) - len(total), np.int32)))
    total[: len(seen)] += seen
    return total


def _picture(
    camera: Camera,
    travel: CameraTravel,
    view: View,
    plane: Plane,
    seen: NDArray[np.int32],
    raw: NDArray[np.uint16] | None,
    own: int,
    pool: Pool,
) -> CameraPicture:
    settings = camera.settings
    height, width = settings.height, settings.width
    boxes, instance = BoundingBoxes.none(), np.empty((0, 0), np.int32)
    if settings.boxes:
        aim = camera.aim_at(view, travel.now.position, travel.now.rotation, own)
        boxes = boxes_of(view, camera.lens, aim, plane, seen, settings, pool)
    if settings.instance:
        instance = view.actor.astype(np.int32)[plane.row]
    rgb = plane.rgb.reshape(height, width, 3) if settings.rgb else None
    shaped = raw.reshape(height, width, 3) if raw is not None else None
    return CameraPicture(rgb, plane.depth, plane.semantic, instance, boxes, shaped)


def _film(linear: NDArray[np.float32], tone: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Bytes of exposed radiance by the table of the film curve (`shading_tables.tone_table`)."""
    octave = np.float32(2.0**TONE_LOW)
    words = np.maximum(linear, octave).view(np.uint32) >> np.uint32(23 - TONE_BITS)
    place = words.astype(np.int64) - ((127 + TONE_LOW) << TONE_BITS)
    return np.asarray(tone[np.minimum(place, len(tone) - 1)])


def _part_of_turn(turn: NDArray[np.float64], share: float) -> NDArray[np.float64]:
    """A share of a rotation about its own axis (Rodrigues); of rotations well below half a turn."""
    cross = 0.5 * (turn - turn.T)
    sine = math.sqrt(0.5 * float((cross * cross).sum()))
    if sine < _SMALL_TURN:
        return np.eye(3)
    angle = math.atan2(sine, 0.5 * (float(np.trace(turn)) - 1.0))
    axis = cross / sine
    part = share * angle
    rotation: NDArray[np.float64] = np.eye(3) + math.sin(part) * axis + (1.0 - math.cos(part)) * (axis @ axis)
    return rotation
