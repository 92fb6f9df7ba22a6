"""Datagrams to the simulator, packed by hand at the documented offsets (facts/udp-wire.md, section 3)."""

from __future__ import annotations

import struct


def envelope(name: str, payload: bytes) -> bytes:
    """`#name$`, payload length, 12 bytes of aux data, payload, CR LF."""
    return b"#" + name.encode() + b"$" + struct.pack("<i3i", len(payload), 0, 0, 0) + payload + b"\r\n"


def control(
    *,
    accel: float = 0.0,
    brake: float = 0.0,
    steer: float = 0.0,
    velocity_kmh: float = 0.0,
    acceleration: float = 0.0,
    mode: int = 2,
    gear: int = 4,
    kind: int = 1,
) -> bytes:
    """Ego Ctrl Cmd, 55 bytes."""
    return envelope(
        "MoraiCtrlCmd", struct.pack("<3b5f", mode, gear, kind, velocity_kmh, acceleration, accel, brake, steer)
    )


def ghost(x: float, y: float, z: float, yaw_deg: float, speed_kmh: float = 0.0, steer_deg: float = 0.0) -> bytes:
    """Ghost Ctrl Cmd, 63 bytes."""
    return envelope("EgoGhostCmd", struct.pack("<8f", x, y, z, 0.0, 0.0, yaw_deg, speed_kmh, steer_deg))


def trajectory(points: list[tuple[float, float, float, float]]) -> bytes:
    """Trajectory Tracking Cmd, 531 bytes."""
    filled = [*points, *[(0.0, 0.0, 0.0, 0.0)] * (30 - len(points))]
    numbers = [number for point in filled for number in point]
    return envelope("TrajectoryTrackingCmd", struct.pack("<iibB120f", 0, 0, 1, len(points), *numbers))


def ground_direct(steer_type: int, throttle: float, skid: float = 0.0, angles: tuple[float, ...] = ()) -> bytes:
    """Ground Vehicle Direct Ctrl Cmd, 85 bytes."""
    filled = [*angles, *[0.0] * (10 - len(angles))]
    return struct.pack("<3I21x", 0, 65, 0) + struct.pack("<I12f", steer_type, throttle, skid, *filled)


def ground_state(velocity: float, yaw_rate: float) -> bytes:
    """Ground Vehicle State Ctrl Cmd, 41 bytes."""
    return struct.pack("<3I21x", 0, 66, 0) + struct.pack("<2f", velocity, yaw_rate)


def multi_ego(*egos: tuple[int, float, float, float, float], camera: int = 0) -> bytes:
    """Multi Ego Setting, 683 bytes; each ego is (index, x, y, yaw in deg, speed in km/h)."""
    slots = b"".join(
        struct.pack("<h7f2b", index, x, y, 0.0, 0.0, 0.0, yaw, speed, 4, 2) for index, x, y, yaw, speed in egos
    )
    return envelope("MultiEgoSetting", struct.pack("<2i", len(egos), camera) + slots.ljust(640, b"\0"))


def status_number(status: bytes, offset: int) -> float:
    """A float32 of a status datagram."""
    number: float = struct.unpack_from("<f", status, offset)[0]
    return number
