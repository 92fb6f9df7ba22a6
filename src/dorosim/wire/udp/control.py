"""Messages that drive the ego vehicle: control, ghost, trajectory, lamps (facts/udp-wire.md, 3.1, 3.2, 3.11)."""

from __future__ import annotations

from dorosim.ground.unit import DEGREE, KMH, METRE_PER_SECOND, METRE_PER_SECOND2, RATIO
from dorosim.wire.message import (
    Envelope,
    Layout,
    Wire,
    chars,
    f32,
    i8,
    map_position,
    message,
    record,
    roll_pitch_yaw,
    slots,
    stamp,
    u8,
)
from dorosim.wire.udp.code import CtrlMode, EmergencySignal, Gear, LongCmdType, TurnSignal


@message(
    Envelope("MoraiCtrlCmd"),
    to="simulator",
    source="UDP page, Ego Ctrl Cmd; facts/udp-wire.md 3.1",
    layouts=(Layout(59), Layout(55, without=frozenset({"rear_steer"}))),
    default_port=9093,
)
class EgoCtrlCmd(Wire):
    """Drives the ego vehicle by pedals, by velocity or by acceleration. The last one holds until the next.

    Steering is a fraction of the vehicle's maximum wheel angle; which side is positive depends on the revision.
    """

    ctrl_mode: CtrlMode = i8("driver", enum=CtrlMode)
    gear: Gear = i8("gear", enum=Gear)
    cmd_type: LongCmdType = i8("which numbers count", enum=LongCmdType)
    velocity: float = f32(KMH, "target velocity, for cmd_type VELOCITY", low=-1000.0, high=1000.0)
    acceleration: float = f32(
        METRE_PER_SECOND2, "target acceleration, for cmd_type ACCELERATION", low=-100.0, high=100.0
    )
    accel: float = f32(RATIO, "accelerator pedal, for cmd_type THROTTLE", low=0.0, high=1.0)
    brake: float = f32(RATIO, "brake pedal, for cmd_type THROTTLE", low=0.0, high=1.0)
    steer: float = f32(RATIO, "front wheel angle / maximum wheel angle", low=-1.0, high=1.0, steering=True)
    rear_steer: float = f32(
        RATIO, "rear wheel angle / maximum rear wheel angle", low=-1.0, high=1.0, steering=True, default=0.0
    )


@message(
    Envelope("EgoGhostCmd"),
    to="simulator",
    source="UDP page, Ghost Ctrl Cmd; facts/udp-wire.md 3.2 and 8.5",
    layouts=(Layout(63),),
    default_port=9095,
)
class GhostCtrlCmd(Wire):
    """Puts the ego vehicle at a pose, without physics."""

    position: tuple[float, ...] = map_position("position of the body origin")
    rotation: tuple[float, ...] = roll_pitch_yaw("roll, pitch, yaw", "map")
    speed: float = f32(KMH, "speed to report", low=-1000.0, high=1000.0)
    steer_angle: float = f32(DEGREE, "front wheel angle to report", low=-90.0, high=90.0, steering=True)


@record
class TrajectoryPoint(Wire):
    """One point of a trajectory."""

    position: tuple[float, ...] = map_position("point to pass")
    speed: float = f32(METRE_PER_SECOND, "speed at the point", low=-300.0, high=300.0)


@message(
    Envelope("TrajectoryTrackingCmd"),
    to="simulator",
    source="facts/udp-wire.md 3.1 (official client of 26.R1); design/seams.md, Codes",
    layouts=(Layout(531),),
    default_port=9109,
)
class TrajectoryTrackingCmd(Wire):
    """A trajectory that the ego vehicle follows with the built-in driver until it ends."""

    time: int = stamp("time of sending")
    sequence: int = i8("counter of the sender")
    trajectory_count: int = u8("how many of the points count", low=0, high=30, beyond="refuse")
    points: tuple[TrajectoryPoint, ...] = slots(
        TrajectoryPoint, 30, "points in driving order", counted_by="trajectory_count"
    )


@message(
    Envelope("LampControl"),
    to="simulator",
    source="UDP page, Turn Signal Lamp Control; facts/udp-wire.md 3.11",
    layouts=(Layout(33),),
    default_port=9097,
)
class LampControl(Wire):
    """Switches the ego vehicle's turn signal and emergency lamps. No status message reports them."""

    turn_signal: TurnSignal = i8("turn signal", enum=TurnSignal)
    emergency_signal: EmergencySignal = i8("emergency lamps", enum=EmergencySignal)


@record
class NpcGhost(Wire):
    """One NPC vehicle that is placed from outside. A slot with unique_id 0 is empty."""

    unique_id: int = i8("id that the sender gives; 0 empty")
    car_name: str = chars(25, "vehicle model", pad=b" ")
    position: tuple[float, ...] = map_position("position of the body origin")
    rotation: tuple[float, ...] = roll_pitch_yaw("roll, pitch, yaw", "map")


@message(
    Envelope("NpcGhostCmd"),
    to="simulator",
    source="facts/udp-wire.md 4.3 (official client; not in the documents)",
    layouts=(Layout(1031),),
    default_port=9101,
)
class NpcGhostCmd(Wire):
    """Places up to 20 NPC vehicles. The first slot with an id makes one; those that are not named stay."""

    vehicles: tuple[NpcGhost, ...] = slots(NpcGhost, 20, "vehicles")
