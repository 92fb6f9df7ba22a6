"""What sensors read, in three dimensions: points of lidars, detections, true objects, tracks, and where sensors are."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import viser
from numpy.typing import NDArray
from viser import transforms

from dorosim.bridge.sensor.drawing import Dots, Lines, in_map, plain_lines
from dorosim.bridge.sensor.kind import OUTPUTS
from dorosim.bridge.view.carried import PlaceHistory, carried_by, places_of
from dorosim.bridge.view.sensor import (
    HIGH,
    LOW,
    PointColour,
    actor_colours,
    box_colours,
    class_colours,
    lidar_points,
    ramp_colours,
    volume_edges,
)
from dorosim.endpoint.view.pace import Throttle
from dorosim.endpoint.view.page_context import PageContext, PageRun
from dorosim.endpoint.view.stage.cloud import NOBODY, Cloud, Slice
from dorosim.ground.column import FloatArray
from dorosim.sensor.pose import Pose, body_from_sensor, motion_of
from dorosim.sensor.reading import GpsReading, Reading
from dorosim.sensor.scene.actor.catalogue import ActorModels
from dorosim.sensor.scene.placement import ActorPlacement
from dorosim.world.mount.setting import (
    CameraSettings,
    GroundTruthSettings,
    Lidar2dSettings,
    Lidar3dSettings,
    LidarIntensity,
)
from dorosim.world.mount.state import Mount
from dorosim.world.snapshot import Snapshot

_SHOWN = 0.1
"""Wall time from one picture of a lidar's points to the next [s]."""
_NEAR = 25.0
"""So far the mean of points may be from the place relative to which they are sent [m]."""
POINT_SIZE = 0.11
"""Side of a lidar's points, until a visitor chooses another [m]."""
MAX_EARLY = 400
"""Readings of lidars that wait for the snapshot of their stamp, at most."""
TRACK = 400
"""Fixes of a track that are shown."""
_OPTICAL = np.array([[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]])
"""sensor_from_optical: x right, y down, z forward in a frame of x forward, y left, z up."""
_LIDARS = (Lidar3dSettings, Lidar2dSettings)


class SensorStage:
    """Shows readings of chosen sensors. It is for one thread: the one that takes the messages of the run.

    Args:
        context: what all parts have in common.

    Attributes:
        point_size: side of the points of lidars [m].
    """

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._scene = context.server.scene
        self._origin: FloatArray = np.zeros(3)
        self._projected: FloatArray = np.zeros(3)
        self._mounts: dict[int, Mount] = {}
        self._frames: dict[int, viser.FrameHandle] = {}
        self._handles: dict[int, list[Any]] = {}
        self._clouds: dict[int, Cloud] = {}
        self._tracks: dict[int, deque[FloatArray]] = {}
        self._fixed: dict[int, int] = {}
        self._draw: dict[int, Throttle] = {}
        self._colour = PointColour.USUAL
        self._history = PlaceHistory()
        self._early: deque[tuple[Reading, Pose]] = deque(maxlen=MAX_EARLY)
        self._placement: ActorPlacement | None = None
        self._models: ActorModels | None = None
        self.point_size = POINT_SIZE

    def begin(self, run: PageRun) -> None:
        """Remove the sensors of the last run."""
        self.set_mounts({})
        self._origin = np.array(run.origin)
        self._projected = np.array(run.scene.map_origin)
        self._placement, self._models = ActorPlacement(run.scene, run.models), run.models
        self._history = PlaceHistory()

    def set_mounts(self, mounts: Mapping[int, Mount]) -> None:
        """Draw these sensors from now on, and no others.

        A small frame shows where each one is, a pyramid what a camera sees, lines the volume of ground truth if it is
        to be drawn.
        """
        for sensor in list(self._handles):
            self.hide(sensor)
        for frame in self._frames.values():
            frame.remove()
        self._frames.clear()
        self._early.clear()
        self._mounts = dict(mounts)
        for mount in mounts.values():
            if mount.actor not in self._frames:
                self._frames[mount.actor] = self._scene.add_frame(f"/sensors/on_{mount.actor}", show_axes=False)
            pose = body_from_sensor(mount)
            name = f"/sensors/on_{mount.actor}/{mount.id}"
            if isinstance(mount.settings, CameraSettings):
                width, height = mount.settings.width, mount.settings.height
                focal = mount.settings.focal_length
                tall = height / focal[1] if focal else 2.0 * np.tan(0.5 * mount.settings.fov) * height / width
                self._scene.add_camera_frustum(
                    name,
                    fov=float(2.0 * np.arctan(0.5 * tall)),
                    aspect=width / height,
                    scale=0.35,
                    color=(30, 90, 200),
                    cast_shadow=False,
                    receive_shadow=False,
                    wxyz=_quaternion(pose.rotation @ _OPTICAL),
                    position=pose.position,
                )
            else:
                self._scene.add_frame(
                    name,
                    axes_length=0.35,
                    axes_radius=0.02,
                    origin_radius=0.045,
                    wxyz=_quaternion(pose.rotation),
                    position=pose.position,
                )

            if isinstance(mount.settings, GroundTruthSettings) and mount.settings.drawn:
                edges = volume_edges(mount.settings).astype(np.float32)
                colours = np.full(edges.shape, (255, 140, 0), np.uint8)
                self._scene.add_line_segments(f"{name}/range", edges, colours, thickness=0.04)

    def set_colour(self, colour: PointColour) -> None:
        """Colour the points of lidars by something else; those that are there go with their turn."""
        self._colour = colour

    def set_size(self, size: float) -> None:
        """Draw the points of lidars in another size [m]. Values that are none are refused.

        Raises:
            ValueError: it is not finite, or not above 0.
        """
        if not 0.0 < size < math.inf:
            raise ValueError(f"a size of {size} m")
        self.point_size = size
        for number in self._clouds:
            for handle in self._handles.get(number, ()):
                if handle is not None:
                    handle.point_size = size

    def show(self, now: Snapshot) -> None:
        """Move the drawn sensors with the actors that carry them, and points of lidars with the actors they are on."""
        for actor, frame in self._frames.items():
            motion = motion_of(now, actor)
            if motion is not None:
                frame.position = motion.pose.position - self._origin
                frame.wxyz = _quaternion(motion.pose.rotation)
        if self._placement is None or not any(isinstance(one.settings, _LIDARS) for one in self._mounts.values()):
            return
        placed = self._placement.of(now)
        self._history.note(now.time, placed)
        while self._early and self._early[0][0].time <= now.time:
            reading, pose = self._early.popleft()
            self._hear_lidar(self._mounts[reading.sensor], reading, pose)
        for sensor, cloud in self._clouds.items():
            carried, tints = cloud.carried()
            there, places = places_of(carried, placed)
            self._show_points(sensor, 1, places, tints[there], self.point_size, "square")

    def hear(self, reading: Reading, pose: Pose | None) -> None:
        """Show a reading; `pose` is map_from_sensor."""
        mount = self._mounts.get(reading.sensor)
        if mount is None or pose is None:
            return
        if isinstance(mount.settings, _LIDARS):
            if self._history.is_before(reading.time):  # where actors are then comes with the next picture
                self._early.append((reading, pose))
            else:
                self._hear_lidar(mount, reading, pose)
        elif isinstance(reading, GpsReading):
            self._hear_fix(reading, pose)
        else:
            for slot, shape in enumerate(OUTPUTS[reading.KIND].shapes(reading, pose)):
                if isinstance(shape, Dots):
                    self._show_points(reading.sensor, slot, shape.points, shape.colours, shape.size, "circle")
                else:
                    self._show_lines(reading.sensor, slot, shape)

    def hide(self, sensor: int) -> None:
        """Remove what is drawn of a sensor's readings, until the next reading of it."""
        for handle in self._handles.pop(sensor, ()):
            if handle is not None:
                handle.remove()
        self._clouds.pop(sensor, None)
        self._tracks.pop(sensor, None)
        self._fixed.pop(sensor, None)
        if self._early:
            self._early = deque((one for one in self._early if one[0].sensor != sensor), MAX_EARLY)

    def points_of(self, sensor: int) -> int:
        """How many points of a lidar are shown."""
        cloud = self._clouds.get(sensor)
        return 0 if cloud is None else cloud.count

    def _hear_lidar(self, mount: Mount, reading: Reading, pose: Pose) -> None:
        cloud = self._clouds.setdefault(mount.id, Cloud(mount.period))
        points, intensity = lidar_points(reading, cloud.share(reading, mount.period))
        if isinstance(mount.settings, Lidar2dSettings):
            kept = points[:, 0] ** 2 + points[:, 1] ** 2 < (0.999 * mount.settings.range) ** 2  # farthest: no echo
            points, intensity = points[kept], intensity[kept]
        assert isinstance(mount.settings, _LIDARS)
        placed = in_map(points, pose)
        colours = self._colours(placed, intensity, mount.settings.intensity, pose)
        on, carried = np.zeros(len(placed), bool), NOBODY
        past = self._history.at(reading.time)
        if past is not None and self._models is not None:
            on, carried = carried_by(placed, past, self._models)
        cloud.add(Slice(reading.time, placed[~on] - self._origin, colours[~on], carried, colours[on]))
        if self._draw.setdefault(mount.id, Throttle(_SHOWN, self._context.clock)).due():
            found, tints = cloud.still()
            self._show_points(mount.id, 0, found + self._origin, tints, self.point_size, "square")

    def _colours(
        self, placed: FloatArray, intensity: NDArray[np.floating], told: LidarIntensity, pose: Pose
    ) -> NDArray[np.uint8]:
        """`(N, 3)` of points in the map, as visitors have chosen.

        Args:
            placed: `(N, 3)` in map [m].
            intensity: `(N,)` 0 to 255.
            told: what the intensity says.
            pose: map_from_sensor.
        """
        match self._colour, told:
            case PointColour.INTENSITY, _:
                return ramp_colours(intensity, 0.0, 255.0)
            case ((PointColour.USUAL | PointColour.CLASS), LidarIntensity.SEMANTIC):
                return class_colours(intensity)
            case ((PointColour.USUAL | PointColour.CLASS), LidarIntensity.INSTANCE):
                return actor_colours(intensity)
            case PointColour.CLASS, _:
                now = self._context.now
                if now is not None and self._placement is not None and self._models is not None:
                    return box_colours(placed, self._placement.of(now), self._models)
        return ramp_colours(placed[:, 2] - pose.position[2], LOW, HIGH)

    def _hear_fix(self, reading: GpsReading, pose: Pose) -> None:
        if reading.denied:
            return
        east, north = self._projected[:2].tolist()
        track = self._tracks.setdefault(reading.sensor, deque(maxlen=TRACK))
        if reading.time < self._fixed.get(reading.sensor, reading.time):  # the run began anew, and the track with it
            track.clear()
            self._clear(self._handles.get(reading.sensor, [None]), 0)
        self._fixed[reading.sensor] = reading.time
        fix = np.array([reading.east - east, reading.north - north, pose.position[2]])
        if track and float(np.linalg.norm(fix - track[-1])) < 0.2:
            return
        track.append(fix)
        places = np.array(track)
        if len(places) >= 2:
            lines = np.stack([places[:-1], places[1:]], axis=1)
            self._show_lines(reading.sensor, 0, plain_lines(lines, (0, 160, 90), 0.15))

    def _clear(self, handles: list[Any], slot: int) -> None:
        """Remove the node, as an empty buffer is an error in the browser."""
        if handles[slot] is not None:
            handles[slot].remove()
            handles[slot] = None

    def _show_points(self, sensor: int, slot: int, points: FloatArray, colours: Any, size: float, shape: Any) -> None:
        """Show points in the map, sent relative to a place near their mean, as half precision is coarse far from it.

        The place stays while it is near: a browser moves a node at once, and changes its points in a later picture.
        """
        node = self._handles.get(sensor, [None, None])[slot]
        middle: FloatArray = self._origin if node is None else node.position + self._origin
        if len(points) and (node is None or np.abs(points.mean(axis=0) - middle).max() > _NEAR):
            middle = np.round(points.mean(axis=0)).astype(np.float64)
        add = partial(self._scene.add_point_cloud, point_size=size, point_shape=shape, point_shading="flat")
        near = (points - middle).astype(np.float16)
        self._show_rows(sensor, slot, add, near, colours, position=middle - self._origin)

    def _show_lines(self, sensor: int, slot: int, lines: Lines) -> None:
        add = partial(self._scene.add_line_segments, thickness=lines.thickness)
        self._show_rows(sensor, slot, add, (lines.ends - self._origin).astype(np.float32), lines.colours)

    def _show_rows(
        self, sensor: int, slot: int, add: Callable[..., Any], rows: Any, colours: Any, **place: FloatArray
    ) -> None:
        """Show points or lines; none removes their node.

        Args:
            sensor: its number.
            slot: which of its nodes.
            add: makes the node.
            rows: points or lines in the frame of the node.
            colours: of each.
            place: position of the node in the page's frame [m], where it moves.
        """
        handles = self._handles.setdefault(sensor, [None, None])
        if not len(rows):
            self._clear(handles, slot)
            return
        size = _room(len(rows), handles[slot])
        near, tints = _padded(rows, size), _padded(colours, size)
        with self._context.server.atomic():
            if handles[slot] is None or len(handles[slot].points) != size:
                handles[slot] = add(f"/readings/{sensor}/{slot}", near, tints, **place)
            else:
                handles[slot].points, handles[slot].colors = near, tints
                for name, value in place.items():
                    setattr(handles[slot], name, value)


def _room(count: int, handle: Any) -> int:
    """Rows that a node of a count is given: those that it has, if they are enough and not far too many.

    A node that is made anew for each reading is never drawn by a browser that is slow.
    """
    room = 1 << max(count - 1, 15).bit_length()
    there = 0 if handle is None else len(handle.points)
    return there if room <= there <= 4 * room else room


def _padded(rows: Any, size: int) -> Any:
    """Rows, the last of them repeated up to a size."""
    return np.concatenate([rows, np.repeat(rows[-1:], size - len(rows), axis=0)])


def _quaternion(rotation: FloatArray) -> FloatArray:
    """w, x, y, z of a rotation matrix."""
    return np.asarray(transforms.SO3.from_matrix(rotation).wxyz, np.float64)
