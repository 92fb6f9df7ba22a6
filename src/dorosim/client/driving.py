"""Driving vehicles: commands, modes, lamps, routes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from dorosim.client.operation import Session, Steps, call, do, operation
from dorosim.client.quantity import EGO, KMH, Vector, identity, links, vector, wheel_angle, word

Mode = Literal["keyboard", "auto", "cruise"]
GearName = Literal["M", "P", "R", "N", "D", "L"]
Lamps = Literal["off", "left", "right", "hazard"]
_MODES = {
    "keyboard": "VEHICLE_CONTROL_KEYBOARD",
    "auto": "VEHICLE_CONTROL_AUTO_MODE",
    "cruise": "VEHICLE_CONTROL_CRUISE_MODE",
}
_GEARS = {gear: f"GEAR_MODE_{gear}" for gear in ("P", "R", "N", "D", "M", "L")}
_LAMPS = {
    "off": "VEHICLE_TURN_SIGNAL_UNSPECIFIED",
    "left": "VEHICLE_TURN_SIGNAL_LEFT",
    "right": "VEHICLE_TURN_SIGNAL_RIGHT",
    "hazard": "VEHICLE_TURN_SIGNAL_ALL",
}


class DrivingOperations(Session):
    """Driving vehicles with full dynamics. A command holds until the next one."""

    @operation
    def drive(
        self, actor: str | int = EGO, *, accelerator: float = 0.0, brake: float = 0.0, steer: float = 0.0
    ) -> Steps[None]:
        """Drive by the pedals.

        Args:
            actor: id or name.
            accelerator: 0 to 1.
            brake: 0 to 1.
            steer: angle of the front wheels, left positive [rad].
        """
        yield from do(
            "Actor/ControlVehicle",
            actor_info=identity(actor),
            long_cmd_type="LONG_CMD_TYPE_THROTTLE",
            throttle=accelerator,
            brake=brake,
            steer=wheel_angle(steer),
        )

    @operation
    def drive_at_speed(self, actor: str | int = EGO, *, speed: float, steer: float = 0.0) -> Steps[None]:
        """Drive at a speed [m/s], with an angle of the front wheels, left positive [rad]."""
        info, kind = identity(actor), "LONG_CMD_TYPE_SPEED"
        angle = wheel_angle(steer)
        yield from do("Actor/ControlVehicle", actor_info=info, long_cmd_type=kind, velocity=speed * KMH, steer=angle)

    @operation
    def drive_with_acceleration(
        self, actor: str | int = EGO, *, acceleration: float, steer: float = 0.0
    ) -> Steps[None]:
        """Drive with an acceleration [m/s²], and an angle of the front wheels, left positive [rad]."""
        info, kind = identity(actor), "LONG_CMD_TYPE_ACCELERATION"
        angle = wheel_angle(steer)
        yield from do(
            "Actor/ControlVehicle", actor_info=info, long_cmd_type=kind, acceleration=acceleration, steer=angle
        )

    @operation
    def steer(self, actor: str | int = EGO, *, angle: float) -> Steps[None]:
        """Turn the front wheels, left positive [rad], and leave the pedals as they are."""
        yield from do("Actor/SetVehicleSteer", actor_info=identity(actor), steer=wheel_angle(angle))

    @operation
    def cruise(
        self, actor: str | int = EGO, *, on: bool = True, speed: float | None = None, limit_ratio: float = 1.0
    ) -> Steps[None]:
        """Let the built-in driver drive, or not any longer.

        Args:
            actor: id or name.
            on: whether it drives.
            speed: that it keeps [m/s]; None: a share of each link's limit.
            limit_ratio: that share, 1 for the limit.
        """
        yield from do(
            "Actor/SetVehicleEgoCruise",
            actor_info=identity(actor),
            cruise_on=on,
            cruise_type="EGO_CRUISE_TYPE_LINK" if speed is None else "EGO_CRUISE_TYPE_CONSTANT",
            link_speed_ratio=round(100.0 * limit_ratio),
            constant_velocity=0.0 if speed is None else speed * KMH,
        )

    @operation
    def set_mode(self, actor: str | int, mode: Mode) -> Steps[None]:
        """Set the driver: "keyboard", "auto" (this client) or "cruise" (the built-in driver)."""
        yield from do("Actor/SetVehicleControlMode", actor_info=identity(actor), mode=word("mode", mode, _MODES))

    @operation
    def mode(self, actor: str | int = EGO) -> Steps[Mode]:
        """The driver; as of `set_mode`."""
        answer = yield call("Actor/GetVehicleControlMode", **identity(actor))
        return "cruise" if answer.mode == 6 else "auto" if answer.mode in (3, 4, 5, 7) else "keyboard"

    @operation
    def set_gear(self, actor: str | int, gear: GearName) -> Steps[None]:
        """Set the gear: "P", "R", "N", "D", "M" or "L"."""
        yield from do("Actor/SetVehicleGear", actor_info=identity(actor), gear=word("gear", gear, _GEARS))

    @operation
    def set_lamps(self, actor: str | int, lamps: Lamps) -> Steps[None]:
        """Set the turn signal: "off", "left", "right" or "hazard"."""
        signal = word("turn signal", lamps, _LAMPS)
        yield from do("Actor/SetVehicleTailLight", actor_info=identity(actor), signal=signal)

    @operation
    def set_route(self, actor: str | int, links_ahead: Iterable[str], *, near: float = 5.0) -> Steps[None]:
        """Give a cruising vehicle the links of its route, in order; it has arrived within `near` [m] of the end."""
        rows = links(links_ahead)
        yield from do("Actor/SetVehicleRoute", actor_info=identity(actor), decision_range=near, links=rows)

    @operation
    def set_destination(self, actor: str | int, position: Vector, *, near: float = 5.0) -> Steps[None]:
        """Send a cruising vehicle to a place in the map [m]; it has arrived within `near` [m] of it."""
        place = vector(position)
        yield from do("Actor/SetVehicleDestination", actor_info=identity(actor), decision_range=near, position=place)

    @operation
    def set_path_offset(self, actor: str | int, share: float, *, random: bool = False) -> Steps[None]:
        """Let a vehicle keep off the centre of its lane.

        Args:
            actor: id or name.
            share: of half the lane's width, left positive, -1 to 1.
            random: it is the standard deviation of a normal distribution.
        """
        kind = "PATH_OFFSET_TYPE_RANDOM_GAUSSIAN" if random else "PATH_OFFSET_TYPE_FIX"
        info = identity(actor)
        yield from do("Actor/SetVehiclePathOffset", actor_info=info, value=100.0 * share, lat_bias_mode=kind)
