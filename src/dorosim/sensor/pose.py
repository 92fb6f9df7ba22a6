"""Where vehicles and their sensors are: rigid transforms, and the motion of a body.

A transform is named `map_from_body`, so that names cancel: map_from_sensor = map_from_body @ body_from_sensor.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dorosim.ground.column import FloatArray
from dorosim.ground.rotation import rotation_from_angles
from dorosim.world.fault.sensor import displace_mount
from dorosim.world.mount.state import Mount
from dorosim.world.snapshot import Snapshot
from dorosim.world.traffic.state import Presence


@dataclass(frozen=True, slots=True, eq=False)
class Pose:
    """A rigid transform: a point p of the inner frame is at rotation @ p + position in the outer one.

    Attributes:
        position: `(3,)` of the inner frame's origin [m].
        rotation: `(3, 3)` outer_from_inner.
    """

    position: FloatArray
    rotation: FloatArray

    def __matmul__(self, inner: Pose) -> Pose:
        """The transform of a frame inside the inner frame."""
        return Pose(self.rotation @ inner.position + self.position, self.rotation @ inner.rotation)


@dataclass(frozen=True, slots=True, eq=False)
class BodyMotion:
    """The pose of a vehicle's body and how it moves.

    Attributes:
        pose: map_from_body.
        velocity: `(3,)` of the body origin, in the body frame [m/s].
        angular_velocity: `(3,)` in the body frame [rad/s].
        acceleration: `(3,)` of the body origin without gravity, in the body frame [m/s^2].
    """

    pose: Pose
    velocity: FloatArray
    angular_velocity: FloatArray
    acceleration: FloatArray


def pose_from_angles(position: tuple[float, float, float], angles: tuple[float, float, float]) -> Pose:
    """A transform from a position [m] and roll, pitch, yaw [rad]."""
    return Pose(np.array(position, np.float64), rotation_from_angles(*angles))


def body_from_sensor(mount: Mount) -> Pose:
    """Where a sensor is on its vehicle."""
    return pose_from_angles(mount.position, mount.rotation)


def hanging_pose(now: Snapshot, mount: Mount) -> Pose:
    """Where a sensor hangs on its vehicle now, displaced by its faults."""
    pose = body_from_sensor(mount)
    if not now.fault.rows:
        return pose
    position, rotation = displace_mount(now.fault, mount.actor, mount.id, now.time, pose.position, pose.rotation)
    return Pose(np.asarray(position), np.asarray(rotation))


def motion_of(now: Snapshot, actor: int) -> BodyMotion | None:
    """The motion of a vehicle of any kind; None if there is none of this id.

    NPC vehicles have no roll and pitch but those of the road, and no vertical motion.
    """
    row = now.row_of(actor)
    if row >= 0:
        vehicle = now.vehicle
        angles = (float(vehicle.roll[row]), float(vehicle.pitch[row]), float(vehicle.yaw[row]))
        pose = pose_from_angles((float(vehicle.x[row]), float(vehicle.y[row]), float(vehicle.z[row])), angles)
        if vehicle.paused[row]:
            return BodyMotion(pose, np.zeros(3), np.zeros(3), np.zeros(3))  # its motion waits, and it stands
        velocity = np.array((vehicle.velocity_x[row], vehicle.velocity_y[row], vehicle.velocity_z[row]))
        return BodyMotion(pose, velocity, vehicle.angular_velocity[:, row].copy(), vehicle.acceleration[:, row].copy())
    return _npc_motion(now, actor)


def _npc_motion(now: Snapshot, actor: int) -> BodyMotion | None:
    traffic, ghost = now.traffic, now.ghost
    row = traffic.row_of(actor)
    if row >= 0:
        if traffic.present[row] == Presence.OFF_MAP:
            return None
        place = (float(traffic.x[row]), float(traffic.y[row]), float(traffic.z[row]))
        pose = pose_from_angles(place, (float(traffic.roll[row]), float(traffic.pitch[row]), float(traffic.yaw[row])))
        speed, rate = float(traffic.speed[row]), float(traffic.yaw_rate[row])
        turn = np.array((0.0, 0.0, rate))
        if traffic.present[row] >= Presence.OFF_LANE:
            # one that slides is known by its centre of gravity, the middle of its box
            middle = float(traffic.wheelbase[row] + traffic.front_overhang[row] - 0.5 * traffic.length[row])
            slide = np.array((float(traffic.slide_x[row]), float(traffic.slide_y[row]), 0.0))
            slowing = np.array(
                (float(traffic.slide_acceleration_x[row]), float(traffic.slide_acceleration_y[row]), 0.0)
            )
            velocity = pose.rotation.T @ slide - (0.0, rate * middle, 0.0)
            return BodyMotion(pose, velocity, turn, pose.rotation.T @ slowing)
        # a standing vehicle does not slow down any more, whatever its driver decided last
        forward = float(traffic.acceleration[row]) if speed > 0.0 else max(float(traffic.acceleration[row]), 0.0)
        return BodyMotion(pose, np.array((speed, 0.0, 0.0)), turn, np.array((forward, speed * rate, 0.0)))
    row = ghost.row_of(actor)
    if row < 0:
        return None
    place = (float(ghost.x[row]), float(ghost.y[row]), float(ghost.z[row]))
    pose = pose_from_angles(place, (float(ghost.roll[row]), float(ghost.pitch[row]), float(ghost.yaw[row])))
    velocity = pose.rotation.T @ np.array((float(ghost.velocity_x[row]), float(ghost.velocity_y[row]), 0.0))
    change = pose.rotation.T @ np.array((float(ghost.acceleration_x[row]), float(ghost.acceleration_y[row]), 0.0))
    return BodyMotion(pose, velocity, np.array((0.0, 0.0, float(ghost.yaw_rate[row]))), change)
