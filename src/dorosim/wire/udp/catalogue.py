"""All UDP messages. A new one is its class, a row here, and its vector in the tests."""

from __future__ import annotations

from dorosim.wire.device.imu import ImuData
from dorosim.wire.message import Wire
from dorosim.wire.udp.control import EgoCtrlCmd, GhostCtrlCmd, LampControl, NpcGhostCmd, TrajectoryTrackingCmd
from dorosim.wire.udp.ground_vehicle import GroundVehicleDirectCtrlCmd, GroundVehicleStateCtrlCmd
from dorosim.wire.udp.signal import (
    GetIntersectionStatus,
    GetTrafficLightStatus,
    SetIntersectionStatus,
    SetTrafficLightCtrl,
)
from dorosim.wire.udp.simulator import MultiEgoSetting, SaveSensorData, ScenarioLoad, SensorControl
from dorosim.wire.udp.status import CollisionData, EgoVehicleStatus, NpcVehicleCollisionData, ObjectInfo

DEVICES: tuple[type[Wire], ...] = (ImuData,)
"""What sensors send, each to an address of its own, and not what the network settings list."""
CATALOGUE: tuple[type[Wire], ...] = (
    EgoCtrlCmd,
    GhostCtrlCmd,
    TrajectoryTrackingCmd,
    GroundVehicleDirectCtrlCmd,
    GroundVehicleStateCtrlCmd,
    LampControl,
    NpcGhostCmd,
    MultiEgoSetting,
    ScenarioLoad,
    SaveSensorData,
    SensorControl,
    SetTrafficLightCtrl,
    SetIntersectionStatus,
    EgoVehicleStatus,
    ObjectInfo,
    CollisionData,
    GetTrafficLightStatus,
    GetIntersectionStatus,
    NpcVehicleCollisionData,
    *DEVICES,
)
STATUS: dict[str, tuple[type[Wire], int | None]] = {
    **{
        message.__name__: (message, None)
        for message in CATALOGUE
        if message.table.to == "user" and message not in DEVICES
    },
    "CompetitionVehicleStatus": (EgoVehicleStatus, 181),
}
"""What is sent regularly, by name: the message, and the size of its layout where that is not the revision's. The
competition's status is an ego status without place and acceleration (facts/udp-wire.md, section 3.3)."""
BY_NAME: dict[str, type[Wire]] = {message.__name__: message for message in CATALOGUE}
