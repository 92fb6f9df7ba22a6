"""Product revisions: which layout of a message is sent, and which way steering is positive.

The table is that of design/seams.md, "Revisions"; every size in it is documented or captured
(facts/udp-wire.md, sections 3 and 7). A receiver takes every layout at every revision, by size.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from dorosim.ground.error import InputError

Side = Literal["left", "right"]


@dataclass(frozen=True, slots=True)
class Revision:
    """What a version of the product sends and expects.

    Attributes:
        name: as the user picks it.
        ego_status, ego_control, object_info, collision: total sizes of the layouts that are sent.
        steer_positive: the side to which positive steering turns, in commands and in the status.
        ros_generation: the morai_msgs generation of this version.
        imu: size of the packets of an IMU, which have a time stamp since 2023 (facts/udp-wire.md, 5.5).
    """

    name: str
    ego_status: int
    ego_control: int
    object_info: int
    collision: int
    steer_positive: Side
    ros_generation: str
    imu: int = 115

    @property
    def steer_sign(self) -> float:
        """Steering inside (left positive) = steer_sign * steering on the wire."""
        return 1.0 if self.steer_positive == "left" else -1.0

    def size_of(self, message: str) -> int | None:
        """Size of the layout that is sent of a message with several layouts, None for one that has only one."""
        sizes = {
            "EgoVehicleStatus": self.ego_status,
            "EgoCtrlCmd": self.ego_control,
            "ObjectInfo": self.object_info,
            "CollisionData": self.collision,
            "ImuData": self.imu,
        }
        return sizes.get(message)


REVISIONS: dict[str, Revision] = {
    row.name: row
    for row in (
        Revision("22.R1", 161, 55, 2152, 173, "right", "2022", 107),
        Revision("24.R1", 181, 55, 2160, 181, "right", "2024"),
        Revision("24.R2", 229, 55, 2160, 181, "right", "2024"),
        Revision("25.S4", 181, 55, 2160, 181, "left", "2024"),
        Revision("26.R1", 245, 59, 2160, 181, "left", "26.r1"),
    )
}
DEFAULT_REVISION = REVISIONS["24.R2"]


def revision_named(name: str, steer_positive: Side | None = None) -> Revision:
    """The revision with a name, with the sign of steering overridden if `steer_positive` is given.

    Raises:
        InputError: there is no such revision.
    """
    found = REVISIONS.get(name.upper())
    if found is None:
        raise InputError("revision", "", f"there is no revision {name!r}", f"use one of {', '.join(REVISIONS)}")
    return found if steer_positive is None else replace(found, steer_positive=steer_positive)
