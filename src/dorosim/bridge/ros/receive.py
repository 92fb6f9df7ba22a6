"""Topics that drive and place vehicles, and switch lamps (documents/ros-messages-ko.txt)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dorosim.bridge.answer import Answer, Refusal
from dorosim.bridge.drive import Drive, drive
from dorosim.bridge.event import EMERGENCY_SIGNALS, TURN_SIGNALS
from dorosim.bridge.ground_vehicle import GroundOrder, drive_ground, drive_ground_state, drive_ground_steer
from dorosim.bridge.npc import npc_ghosts
from dorosim.bridge.ros.guard import MAP, SPEED, TURN, Range, guarded, range_of, vector_of
from dorosim.bridge.ros.topic import RosSituation, Subscribed
from dorosim.ground.unit import DEGREE, KMH
from dorosim.wire.udp.control import EgoCtrlCmd, GhostCtrlCmd
from dorosim.wire.udp.ground_vehicle import GroundVehicleStateCtrlCmd
from dorosim.world.snapshot import EGO
from dorosim.world.traffic.command import PlaceNpcGhost
from dorosim.world.vehicle.command import PlaceGhost, SetLamps
from dorosim.world.vehicle.mode import SteerType
from dorosim.world.vehicle.state import AXLES

PEDAL, SHARE = range_of(EgoCtrlCmd, "accel"), range_of(EgoCtrlCmd, "steer")
FORWARD = range_of(GroundVehicleStateCtrlCmd, "target_longitudinal_velocity")
_TURNING = range_of(GroundVehicleStateCtrlCmd, "target_angular_velocity")
WHEEL = Range(-1.5707963267948966, 1.5707963267948966)
"""Wheel angles [rad]; what a vehicle cannot do it does not."""
RANGES: dict[str, Range] = {
    "CtrlCmd.accel": PEDAL,
    "CtrlCmd.brake": PEDAL,
    "CtrlCmd.steering": WHEEL,
    "CtrlCmd.front_steer": WHEEL,
    "CtrlCmd.rear_steer": WHEEL,
    "CtrlCmd.velocity": SPEED,
    "CtrlCmd.acceleration": range_of(EgoCtrlCmd, "acceleration"),
    "Twist.linear": FORWARD,
    "Twist.angular": _TURNING,
    "GVDirectCmd.throttle": SHARE,
    "GVDirectCmd.brake": PEDAL,
    "GVDirectCmd.skidSteering": SHARE,
    "GVDirectCmd.steerAngle": SHARE,
    "GVStateCmd.targetLongitudinalVelocity": FORWARD,
    "GVStateCmd.targetAngularVelocity": _TURNING,
    "GVStateCmd.targetSteerAngle": WHEEL,
    "GhostMessage.position": MAP,
    "GhostMessage.rotation": TURN,
    "GhostMessage.velocity": SPEED,
    "GhostMessage.steering_angle": range_of(GhostCtrlCmd, "steer_angle"),
    "NpcGhostInfo.position": MAP,
    "NpcGhostInfo.rpy": TURN,
    "NpcGhostInfo.vehicle_speed": SPEED,
    "NpcGhostInfo.steering_angle": Range(-80.0, 80.0),
}
"""Those of the UDP messages that ask for the same (dorosim.wire.udp)."""
WITHOUT_EFFECT: dict[str, str] = {
    "Twist.linear.y": "a robot on wheels does not move sideways",
    "Twist.linear.z": "a robot on wheels does not fly",
    "Twist.angular.x": "roll follows the ground",
    "Twist.angular.y": "pitch follows the ground",
    "NpcGhostCmd.header": "a message counts when it comes, whatever its stamp says",
    "NpcGhostInfo.turn_signal": "a vehicle that is placed from outside has no lamps",
    "NpcGhostInfo.brake_light": "a vehicle that is placed from outside has no lamps",
    "Lamps.header": "a message counts when it comes, whatever its stamp says",
}
"""By type and field: why it changes nothing."""
_BY_RATE, _BY_WHEELS = (0, 1), (2,)
"""latCtrlType of a target yaw rate, and of wheel angles, in the order in which steerType names skid and Ackermann; no
document names these codes (docs/how-to/ros.md)."""


def _refused(reason: str) -> tuple[Refusal]:
    return (Refusal(reason),)


def _drive(message: Any, to: RosSituation) -> Iterable[Answer]:
    """Steering is the wheels' angle in radians, left positive; gear and mode stay as they are."""
    order = Drive(
        kind=message.longlCmdType,
        field="longlCmdType",
        accelerator=message.accel,
        brake=message.brake,
        steer=message.steering if hasattr(message, "steering") else message.front_steer,
        rear_steer=getattr(message, "rear_steer", 0.0),
        velocity=message.velocity * KMH.factor,
        acceleration=message.acceleration,
        by_ability=to.form.by_ability,
    )
    return (drive(to.at.now, EGO, "Ego", order),)


def _drive_robot(message: Any, _: RosSituation) -> Iterable[Answer]:
    """Forward speed in m/s, and yaw rate in rad/s, left positive (REP-103)."""
    return (drive_ground_state(EGO, message.linear.x, message.angular.z),)


def _drive_ground(message: Any, to: RosSituation) -> Iterable[Answer]:
    if message.steerType not in set(SteerType):
        return _refused(
            f"steerType {message.steerType} is not valid: it must be one of 1 skid, 2 Ackermann, 3 zero turn"
        )
    if len(message.steerAngle) != AXLES:
        return _refused(f"steerAngle has {len(message.steerAngle)} entries, not {AXLES}")
    order = GroundOrder(
        steer_type=SteerType(message.steerType),
        throttle=message.throttle,
        brake=message.brake,
        skid=message.skidSteering,
        axles=[float(share) for share in message.steerAngle],
    )
    return (drive_ground(to.at.now, EGO, order),)


def _drive_ground_state(message: Any, to: RosSituation) -> Iterable[Answer]:
    velocity = message.targetLongitudinalVelocity
    if message.latCtrlType in _BY_RATE:
        return (drive_ground_state(EGO, velocity, message.targetAngularVelocity),)
    if message.latCtrlType in _BY_WHEELS:
        angles = [float(angle) for angle in message.targetSteerAngle]
        if len(angles) != AXLES:
            return _refused(f"targetSteerAngle has {len(angles)} entries, not {AXLES}")
        return (drive_ground_steer(to.at.now, EGO, velocity, angles),)
    return _refused(f"latCtrlType {message.latCtrlType} is not valid: it must be one of 1 yaw rate, 2 wheel angles")


def _place_ghost(message: Any, _: RosSituation) -> Iterable[Answer]:
    position, rotation = vector_of(message.position), vector_of(message.rotation, DEGREE.factor)
    speed, steer = message.velocity * KMH.factor, message.steering_angle * DEGREE.factor
    return (PlaceGhost(actor=EGO, position=position, rotation=rotation, speed=speed, steer=steer),)


def _place_npcs(message: Any, to: RosSituation) -> Iterable[Answer]:
    orders = []
    for npc in message.npc_list:
        if npc.unique_id:
            position, rotation = vector_of(npc.position), vector_of(npc.rpy, DEGREE.factor)
            orders.append(PlaceNpcGhost(npc.unique_id, npc.name, position, rotation, *_motion(npc)))
        else:
            yield Refusal("unique_id 0 is not a valid id; give each vehicle a number of its own")
    yield from npc_ghosts(to.at.now, orders)


def _motion(npc: Any) -> tuple[float | None, float]:
    """Returns speed [m/s] and wheel angle [rad] of a vehicle that is placed from outside; no speed where none is given.

    Only 26.R1 has them. A vehicle whose client leaves both at 0, as older clients do, moves from place to place.
    """
    speed, steer = getattr(npc, "vehicle_speed", 0.0), getattr(npc, "steering_angle", 0.0)
    return (speed * KMH.factor if speed or steer else None), steer * DEGREE.factor


def _switch_lamps(message: Any, _: RosSituation) -> Iterable[Answer]:
    if message.turnSignal not in TURN_SIGNALS:
        return _refused(
            f"turnSignal {message.turnSignal} is not valid: it must be one of 0 off, 1 left, 2 right, 3 as it is"
        )
    if message.emergencySignal not in EMERGENCY_SIGNALS:
        return _refused(f"emergencySignal {message.emergencySignal} is not valid: it must be 0 off or 1 on")
    turn, emergency = TURN_SIGNALS[message.turnSignal], EMERGENCY_SIGNALS[message.emergencySignal]
    return (SetLamps(actor=EGO, turn=turn, emergency=emergency),)


CTRL_CMD = Subscribed("ctrl_cmd", "/ctrl_cmd", "morai_msgs/CtrlCmd", guarded(_drive, RANGES), module=771)
SUBSCRIBED = (
    CTRL_CMD,
    Subscribed("robot_cmd", "/commands/vel", "geometry_msgs/Twist", guarded(_drive_robot, RANGES), module=3841),
    Subscribed("gv_direct_cmd", "/gv_direct_cmd", "morai_msgs/GVDirectCmd", guarded(_drive_ground, RANGES)),
    Subscribed("gv_state_cmd", "/gv_state_cmd", "morai_msgs/GVStateCmd", guarded(_drive_ground_state, RANGES)),
    Subscribed("ghost_cmd", "/ghost_ctrl_cmd", "morai_msgs/GhostMessage", guarded(_place_ghost, RANGES), module=2817),
    Subscribed("npc_ghost", "/NpcGhost_Topic", "morai_msgs/NpcGhostCmd", guarded(_place_npcs, RANGES), module=2818),
    Subscribed("lamps", "/lamps", "morai_msgs/Lamps", guarded(_switch_lamps, RANGES), module=776),
)
