"""Datagrams to and from the simulator, packed and read by hand at the documented offsets (facts/udp-wire.md, 3, 4)."""

from __future__ import annotations

import struct
from typing import NamedTuple


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


def scenario_load(name: str | bytes, *flags: bool) -> bytes:
    """Scenario Load, 69 bytes; flags: delete all, network, ego, NPC, pedestrian, object, pause."""
    text = (name if isinstance(name, bytes) else name.encode()).ljust(30, b" ")
    return envelope("ScenarioLoad", text + bytes([*flags, *[0] * (7 - len(flags))]))


def status_number(status: bytes, offset: int) -> float:
    """A float32 of a status datagram."""
    number: float = struct.unpack_from("<f", status, offset)[0]
    return number


def lamps(turn: int, emergency: int) -> bytes:
    """Turn Signal Lamp Control, 33 bytes."""
    return envelope("LampControl", struct.pack("<2b", turn, emergency))


def npc_ghosts(*ghosts: tuple[int, str, float, float, float, float]) -> bytes:
    """NPC ghost mode, 1031 bytes; each is (id, model, x, y, z, yaw in deg)."""
    slots = b"".join(
        struct.pack("<b25s6f", number, model.encode().ljust(25), x, y, z, 0.0, 0.0, yaw)
        for number, model, x, y, z, yaw in ghosts
    )
    return envelope("NpcGhostCmd", slots.ljust(1000, b"\0"))


def light(index: str, status: int) -> bytes:
    """Set TrafficLight Ctrl, 46 bytes; clients fill the id up with spaces."""
    return envelope("TrafficLight", index.encode().ljust(12) + struct.pack("<h", status))


def intersection(index: int, status: int, elapsed: float) -> bytes:
    """Set Intersection Status, 40 bytes."""
    return envelope("SetIntStatus", struct.pack("<2hf", index, status, elapsed))


def save_sensors(name: str = "", folder: str = "", *, custom: bool = True) -> bytes:
    """SaveSensorData, 125 bytes."""
    payload = struct.pack("<?30s60s", custom, name.encode().ljust(30), folder.encode().ljust(60))
    return envelope("SaveSensorData", payload)


def move_sensor(
    index: int, position: tuple[float, ...] = (1.0, 0.0, 1.5), rotation_deg: tuple[float, ...] = (0.0, 0.0, 0.0)
) -> bytes:
    """Sensor Control, 59 bytes."""
    return envelope("SensorControl", struct.pack("<h6f", index, *position, *rotation_deg))


class Slot(NamedTuple):
    """An object of a status datagram, with the numbers as they stand on the wire: m, deg, km/h, m/s²."""

    id: int
    type: int
    position: tuple[float, ...]
    heading: float = 0.0
    size: tuple[float, ...] = ()
    axles: tuple[float, ...] = ()
    velocity: tuple[float, ...] = ()
    acceleration: tuple[float, ...] = ()
    link: str = ""


def object_slots(status: bytes) -> list[Slot]:
    """The slots of a 2160-byte object info up to the first one whose id is 0, as clients read them."""
    found = []
    for i in range(20):
        actor, kind, *x, link = struct.unpack_from("<2h16f38s", status, 38 + 106 * i)
        if not actor:
            break
        parts = (tuple(x[4:7]), tuple(x[7:10]), tuple(x[10:13]), tuple(x[13:]))
        found.append(Slot(actor, kind, tuple(x[:3]), x[3], *parts, link.rstrip(b"\0").decode()))
    return found


def collision_slots(status: bytes) -> list[tuple[Slot, tuple[float, ...]]]:
    """The slots of a 181-byte collision data with their global offsets, up to the first that is all zero."""
    found = []
    for i in range(5):
        kind, actor, *numbers = struct.unpack_from("<2h6f", status, 39 + 28 * i)
        if not (kind or actor):
            break
        found.append((Slot(actor, kind, tuple(numbers[:3])), tuple(numbers[3:])))
    return found


def collision_pairs(status: bytes) -> list[tuple[Slot, Slot]]:
    """The pairs of an NPC collision data, up to the first that is all zero."""
    found = []
    for i in range(10):
        halves = []
        for at in (34 + 112 * i, 34 + 112 * i + 56):
            kind, actor, *x = struct.unpack_from("<2h13f", status, at)
            parts = (tuple(x[4:7]), (), tuple(x[7:10]), tuple(x[10:]))
            halves.append(Slot(actor, kind, tuple(x[:3]), x[3], *parts))
        if not (halves[0].id or halves[0].type):
            break
        found.append((halves[0], halves[1]))
    return found
