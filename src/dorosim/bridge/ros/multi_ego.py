"""The topic that places several ego vehicles at once (documents/ros-messages-ko.txt, Multi Ego Setting)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from dorosim.bridge.answer import Answer, Refusal
from dorosim.bridge.control_mode import CTRL_MODES
from dorosim.bridge.multi_ego import EgoPlace, camera_on, ego_of, place_ego
from dorosim.bridge.ros.guard import MAP, SPEED, TURN, Range, guarded, range_of
from dorosim.bridge.ros.topic import RosSituation, Subscribed
from dorosim.ground.unit import DEGREE, KMH
from dorosim.wire.udp import simulator as udp
from dorosim.wire.udp.control import GhostCtrlCmd
from dorosim.world.snapshot import Snapshot
from dorosim.world.vehicle.command import SetLamps, SteerVehicle
from dorosim.world.vehicle.mode import ControlMode, TurnLamp

_POSITION = tuple(f"global_position_{axis}" for axis in "xyz")
_ROTATION = ("global_roll", "global_pitch", "global_yaw")
RANGES: dict[str, Range] = {
    "MultiEgoSetting.number_of_ego_vehicle": range_of(udp.MultiEgoSetting, "num_of_ego"),
    **{f"MultiEgoSetting.{name}": MAP for name in _POSITION},
    **{f"MultiEgoSetting.{name}": TURN for name in _ROTATION},
    "MultiEgoSetting.velocity": SPEED,
    "MultiEgoSetting.vehicle_speed": SPEED,
    "MultiEgoSetting.steering_angle": range_of(GhostCtrlCmd, "steer_angle"),
}
WITHOUT_EFFECT: dict[str, str] = {
    "MultiEgoSetting.vehicle_speed": "how fast a vehicle goes on from its new place is what `velocity` says",
    "MultiEgoSetting.brake_light": "the brake lights burn when the vehicle brakes",
}
"""By type and field: why it changes nothing."""
_SINCE_26 = ("steering_angle", "turn_signal")
"""Lists that only 26.R1 has; one that is empty leaves its part as it is."""
_LAMPS: dict[int, tuple[TurnLamp, bool]] = {
    0: (TurnLamp.OFF, False),
    1: (TurnLamp.LEFT, False),
    2: (TurnLamp.RIGHT, False),
    3: (TurnLamp.OFF, True),
}
"""Turn signal and emergency lamps by turn_signal: 3 is hazard (official MultiEgoSetting.msg of 26.R1)."""
_LISTS = ("ego_index", *_POSITION, *_ROTATION, "velocity", "gear", "ctrl_mode")


def _place_egos(message: Any, to: RosSituation) -> Iterator[Answer]:
    """The first `number_of_ego_vehicle` entries of the lists count; egos without an entry stay as they are."""
    count, now = message.number_of_ego_vehicle, to.at.now
    short = [name for name in _LISTS if len(getattr(message, name)) < count]
    short += [name for name in _SINCE_26 if 0 < len(getattr(message, name, ())) < count]
    if short:
        have = len(getattr(message, short[0]))
        yield Refusal(f"{short[0]} has {have} entries, number_of_ego_vehicle is {count}")
        return
    yield camera_on(now, message.camera_index)
    for row in range(count):
        place = _place_of(message, row)
        yield place_ego(now, place)
        actor = ego_of(now, place.number)
        if not isinstance(actor, Refusal):
            yield from _wheels_and_lamps(message, row, actor, now)


def _place_of(message: Any, row: int) -> EgoPlace:
    """An entry: angles in degrees, speed in km/h (facts/udp-wire.md, 4.1, of the same message on UDP)."""
    x, y, z = (float(getattr(message, name)[row]) for name in _POSITION)
    roll, pitch, yaw = (float(getattr(message, name)[row]) * DEGREE.factor for name in _ROTATION)
    return EgoPlace(
        number=int(message.ego_index[row]),
        position=(x, y, z),
        rotation=(roll, pitch, yaw),
        speed=float(message.velocity[row]) * KMH.factor,
        gear=int(message.gear[row]),
        mode=int(message.ctrl_mode[row]),
    )


def _wheels_and_lamps(message: Any, row: int, actor: int, now: Snapshot) -> Iterable[Answer]:
    """Yields what the fields that 26.R1 adds ask for: wheel angle in degrees, left positive, and lamps.

    The wheel angle counts only if the vehicle is in auto mode from then on; in other modes its driver steers.
    """
    angles: Sequence[float] = getattr(message, "steering_angle", ())
    signals: Sequence[int] = getattr(message, "turn_signal", ())
    mode = CTRL_MODES.get(int(message.ctrl_mode[row]), ControlMode.KEEP)
    if mode is ControlMode.KEEP:
        # a vehicle in ghost mode, whose pose came from outside, is driven from outside after it is placed
        before = ControlMode(int(now.vehicle.control_mode[now.row_of(actor)]))
        mode = ControlMode.AUTO if before is ControlMode.GHOST else before
    if len(angles) and mode is ControlMode.AUTO:
        yield SteerVehicle(actor, float(angles[row]) * DEGREE.factor)
    if len(signals):
        lamps = _LAMPS.get(int(signals[row]))
        if lamps is None:
            yield Refusal(
                f"turn_signal {signals[row]} is not valid: it must be one of 0 off, 1 left, 2 right, 3 hazard"
            )
        else:
            yield SetLamps(actor, *lamps)


SUBSCRIBED = (
    Subscribed("multi_ego", "/ego_setting", "morai_msgs/MultiEgoSetting", guarded(_place_egos, RANGES), module=260),
)
