"""Driving ground vehicles and robots: the meaning that UDP and ROS share.

Fractions count to the right, as the UDP page says of its messages and, by want of another word, of their twins on ROS
(facts/udp-wire.md, 3.12); inside, left is positive.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dorosim.world.snapshot import Snapshot
from dorosim.world.vehicle.command import DriveGroundState, DriveGroundVehicle, DriveVehicle
from dorosim.world.vehicle.mode import ControlKind, DynamicsKind, SteerType


@dataclass(frozen=True, slots=True, kw_only=True)
class GroundOrder:
    """A command by fractions.

    Attributes:
        steer_type: how it steers.
        throttle: -1 to 1, forward positive; with ZERO_TURN rotation, right positive.
        brake: 0 to 1: the share of the throttle that it takes away on all wheels.
        skid: -1 to 1, with SKID, right positive.
        axles: wheel angle of each axle from the front over its greatest one, -1 to 1, with ACKERMANN, right positive.
    """

    steer_type: SteerType
    throttle: float
    brake: float = 0.0
    skid: float = 0.0
    axles: Sequence[float] = ()


def drive_ground(now: Snapshot, actor: int, order: GroundOrder) -> DriveGroundVehicle:
    """What a command by fractions asks of a vehicle with full dynamics, which must be there."""
    most = _axle_limits(now, actor)
    rest = 1.0 - order.brake
    throttle = -order.throttle if order.steer_type is SteerType.ZERO_TURN else order.throttle
    return DriveGroundVehicle(
        actor=actor,
        steer_type=order.steer_type,
        throttle=throttle * rest,
        # a brake slows the wheels down, and with them a turn that comes from the difference of their speeds
        rotation=-order.skid * rest if order.steer_type is SteerType.SKID else -order.skid,
        axle_steer=tuple(-share * limit for share, limit in zip(order.axles, most, strict=True)),
    )


def drive_ground_state(actor: int, velocity: float, yaw_rate: float) -> DriveGroundState:
    """What a target speed [m/s] and yaw rate [rad/s], left positive, ask of a vehicle."""
    return DriveGroundState(actor=actor, velocity=velocity, yaw_rate=yaw_rate)


def drive_ground_steer(
    now: Snapshot, actor: int, velocity: float, angles: Sequence[float]
) -> DriveVehicle | DriveGroundVehicle:
    """What a target speed and wheel angles ask of a vehicle.

    Args:
        now: the last snapshot.
        actor: a vehicle with full dynamics, which must be there.
        velocity: [m/s], forward positive.
        angles: of each axle from the front [rad], left positive.
    """
    row, limit = now.row_of(actor), now.parameter
    if limit.dynamics[row] == DynamicsKind.SINGLE_TRACK:
        return DriveVehicle(actor, ControlKind.VELOCITY, velocity=velocity, steer=angles[0], rear_steer=angles[1])
    fastest = float(limit.max_speed[row] if velocity > 0.0 else limit.max_reverse_speed[row])
    share = min(max(velocity / fastest, -1.0), 1.0) if fastest > 0.0 else 0.0
    return DriveGroundVehicle(actor, SteerType.ACKERMANN, share, axle_steer=tuple(angles))


def _axle_limits(now: Snapshot, actor: int) -> list[float]:
    """Greatest wheel angle of each axle [rad]; a car has a front and a rear one."""
    row = now.row_of(actor)
    most: list[float] = now.parameter.axle_max_steer[:, row].tolist()
    if not any(most):
        most[:2] = float(now.parameter.max_steer[row]), float(now.parameter.max_rear_steer[row])
    return most
