"""Messages that drive wheeled ground vehicles and robots (UDP page, Ground Vehicle; facts/udp-wire.md 3.12).

They have a binary header instead of a name. Byte order is not documented; little-endian, as all others.
Positive steering is to the right in every revision: the page says so.
"""

from __future__ import annotations

from dorosim.ground.unit import METRE_PER_SECOND, RADIAN_PER_SECOND, RATIO
from dorosim.wire.message import BinaryEnvelope, Layout, Wire, f32, f32s, message, u32
from dorosim.wire.udp.code import SteerType


@message(
    BinaryEnvelope(65),
    to="simulator",
    source="UDP page, Ground Vehicle Direct Ctrl Cmd; facts/udp-wire.md 3.12",
    layouts=(Layout(85),),
    default_port=9093,
)
class GroundVehicleDirectCtrlCmd(Wire):
    """Drives a ground vehicle by throttle and steering fractions."""

    steer_type: SteerType = u32("how it steers", enum=SteerType)
    throttle: float = f32(RATIO, "drive, forward positive; with ZERO_TURN rotation, right positive", low=-1.0, high=1.0)
    skid_steering: float = f32(RATIO, "rotation with SKID, right positive", low=-1.0, high=1.0)
    steer_angle: tuple[float, ...] = f32s(
        10, RATIO, "wheel angle / maximum of each axle with ACKERMANN, right positive", low=-1.0, high=1.0
    )


@message(
    BinaryEnvelope(66),
    to="simulator",
    source="UDP page, Ground Vehicle State Ctrl Cmd; facts/udp-wire.md 3.12",
    layouts=(Layout(41),),
    default_port=9093,
)
class GroundVehicleStateCtrlCmd(Wire):
    """Gives a ground vehicle a target velocity and a target yaw rate."""

    target_longitudinal_velocity: float = f32(
        METRE_PER_SECOND, "target velocity, forward positive", low=-300.0, high=300.0
    )
    target_angular_velocity: float = f32(
        RADIAN_PER_SECOND, "target yaw rate, counter-clockwise positive", low=-100.0, high=100.0
    )
