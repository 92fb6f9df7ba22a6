"""Ground truth on request: made from a Snapshot at once, whether the sensor's reading is due or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dorosim.ground.column import FloatArray
from dorosim.ground.noise import Noise
from dorosim.sensor.pool import SerialPool
from dorosim.sensor.pose import hanging_pose, motion_of
from dorosim.sensor.reading import TruthReading
from dorosim.sensor.sensor_input import SensorInput
from dorosim.sensor.truth import GroundTruth
from dorosim.world.mount.state import Mount
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot

if TYPE_CHECKING:
    from dorosim.sensor.scene.instance import View


def truth_of(now: Snapshot, scene: Scene, mount: Mount) -> TruthReading | None:
    """Returns the reading of a ground truth sensor from a Snapshot, with the faults of its mount.

    Args:
        now: of this moment.
        scene: what does not change.
        mount: with `GroundTruthSettings`.

    Returns:
        None if it is switched off, or its vehicle is nowhere.
    """
    motion = motion_of(now, mount.actor)
    if motion is None or not mount.enabled:
        return None
    inputs = SensorInput(
        scene=scene,
        before=now,
        now=now,
        mount=mount,
        body_from_sensor=hanging_pose(now, mount),
        motion_before=motion,
        motion=motion,
        view=_no_view,
        noise=_STILL,
        pool=_ALONE,
    )
    return GroundTruth(mount, scene).read(inputs)


def along_heading(vectors: FloatArray, heading: FloatArray) -> FloatArray:
    """`(N, 3)` vectors of the map, forward, to the left and up as seen by objects of a heading `(N,)` [rad]."""
    c, s = np.cos(heading), np.sin(heading)
    x, y, z = vectors.T
    return np.column_stack((c * x + s * y, c * y - s * x, z))


def _no_view() -> View:
    raise AssertionError("ground truth looks at no geometry")


_STILL, _ALONE = Noise(0), SerialPool()
