"""The ego vehicle over UDP: the documented messages, with the shapes of the gRPC client."""

from __future__ import annotations

import math
import socket
from collections.abc import Callable, Generator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

from dorosim.client.datagram import DatagramInbox, receive, receive_async
from dorosim.client.driving import GearName, Lamps
from dorosim.client.error import ClientError
from dorosim.client.operation import Awaiting, Blocking, Session, T, operation
from dorosim.client.quantity import Triple, turned
from dorosim.client.run_file import find_run
from dorosim.client.signal import Light, TrafficLight
from dorosim.client.states import SeenObject, State
from dorosim.wire.error import WireError
from dorosim.wire.message import Wire
from dorosim.wire.udp.code import CtrlMode, EmergencySignal, Gear, LongCmdType, ObjectType, TurnSignal
from dorosim.wire.udp.control import EgoCtrlCmd, LampControl
from dorosim.wire.udp.datagram import DatagramReader, codec_of
from dorosim.wire.udp.revision import revision_named
from dorosim.wire.udp.signal import GetTrafficLightStatus, SetTrafficLightCtrl
from dorosim.wire.udp.status import CollisionData, EgoVehicleStatus, ObjectInfo, ObjectSlot

IONIQ_STEER = math.radians(36.25)
"""Greatest angle of the front wheels of the default vehicle [rad] (docs/reference/vehicles.md)."""
_LAMPS = {"off": TurnSignal.NONE, "left": TurnSignal.LEFT, "right": TurnSignal.RIGHT, "hazard": TurnSignal.NONE}
_KINDS = {
    ObjectType.EGO: "ego",
    ObjectType.VEHICLE: "vehicle",
    ObjectType.PEDESTRIAN: "pedestrian",
    ObjectType.OBJECT: "obstacle",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class UdpPorts:
    """Ports of both sides; the defaults are those of dorosim and of the product's examples.

    Attributes:
        control, lamps, set_light: of the simulator.
        status, objects, collisions, light: of this machine; 0 for any that is free.
    """

    control: int = 9093
    lamps: int = 9097
    set_light: int = 7607
    status: int = 909
    objects: int = 7505
    collisions: int = 9092
    light: int = 7502


def _usual_ports() -> UdpPorts:
    """The ports of the run that DOROSIM_RUN names, else the usual ones."""
    run = find_run()
    usual = UdpPorts()
    return usual if run is None else UdpPorts(**{name: run.port(port) for name, port in asdict(usual).items()})


@dataclass(frozen=True, slots=True)
class Sending:
    """A step of an operation: a datagram to a port of the simulator."""

    port: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Expecting:
    """A step of an operation: the newest message of a kind; with `wait` only one that is yet to come."""

    kind: type[Wire]
    wait: bool


Steps = Generator[Sending | Expecting, Any, T]


class UdpOperations(Session):
    """The ego vehicle over UDP, as both kinds of clients have it.

    Args:
        host: address of the simulator.
        ports: of both sides; those of the run that the environment variable DOROSIM_RUN names, else the usual ones, if
            they are not given.
        own: address of this machine at which it listens.
        revision: of the product that the simulator is set to.
        max_steer: greatest angle of the vehicle's front wheels [rad]: on UDP steering is a share of it.
        timeout: how long a first message is waited for [s].

    Raises:
        ClientError: a port cannot be had.
    """

    def __init__(
        self,
        host: str = "127.0.0.1",
        ports: UdpPorts | None = None,
        *,
        own: str = "127.0.0.1",
        revision: str = "24.R2",
        max_steer: float = IONIQ_STEER,
        timeout: float = 5.0,
    ) -> None:
        ports = ports or _usual_ports()
        self._host, self._ports, self._timeout, self._max_steer = host, ports, timeout, max_steer
        self._revision = revision_named(revision)
        self._reader = DatagramReader(self._revision, "user")
        self._gear = Gear.D
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._inboxes: dict[type[Wire], DatagramInbox[Any]] = {}
        self._last: dict[type[Wire], Any] = {}
        expected: tuple[tuple[type[Wire], int], ...] = (
            (EgoVehicleStatus, ports.status),
            (ObjectInfo, ports.objects),
            (CollisionData, ports.collisions),
            (GetTrafficLightStatus, ports.light),
        )
        try:
            for kind, port in expected:
                self._inboxes[kind] = DatagramInbox(own, port, kind.__name__, partial(self._decode, kind))
        except ClientError:
            self.close()
            raise

    @property
    def ports(self) -> UdpPorts:
        """The ports, with those that were found free."""
        names = ("status", "objects", "collisions", "light")
        found = (inbox.port for inbox in self._inboxes.values())
        return replace(self._ports, **dict(zip(names, found, strict=True)))

    def close(self) -> None:
        """Let go of all ports."""
        self._socket.close()
        for inbox in self._inboxes.values():
            inbox.close()

    @operation
    def drive(self, *, accelerator: float = 0.0, brake: float = 0.0, steer: float = 0.0) -> Steps[None]:
        """Drive by the pedals, each 0 to 1, and an angle of the front wheels, left positive [rad]."""
        yield self._control(LongCmdType.THROTTLE, steer, accel=accelerator, brake=brake)

    @operation
    def drive_at_speed(self, *, speed: float, steer: float = 0.0) -> Steps[None]:
        """Drive at a speed [m/s], with an angle of the front wheels, left positive [rad]."""
        yield self._control(LongCmdType.VELOCITY, steer, velocity=speed)

    @operation
    def drive_with_acceleration(self, *, acceleration: float, steer: float = 0.0) -> Steps[None]:
        """Drive with an acceleration [m/s²], and an angle of the front wheels, left positive [rad]."""
        yield self._control(LongCmdType.ACCELERATION, steer, acceleration=acceleration)

    @operation
    def set_gear(self, gear: GearName) -> Steps[None]:
        """Set the gear of the commands from now on: "P", "R", "N", "D", "M" or "L"."""
        self._gear = Gear[gear]
        yield from ()

    @operation
    def set_lamps(self, lamps: Lamps) -> Steps[None]:
        """Set the turn signal: "off", "left", "right" or "hazard"."""
        hazard = EmergencySignal.ON if lamps == "hazard" else EmergencySignal.OFF
        yield self._sending(self._ports.lamps, LampControl(turn_signal=_LAMPS[lamps], emergency_signal=hazard))

    @operation
    def set_light(self, light: str, color: Light | None) -> Steps[None]:
        """Set the lamps of a traffic light; None gives it back to its programme."""
        yield self._sending(
            self._ports.set_light, SetTrafficLightCtrl(index=light, status=-1 if color is None else int(color))
        )

    @operation
    def state(self, *, wait: bool = False) -> Steps[State]:
        """The newest state of the ego vehicle.

        Args:
            wait: for the next one, rather than take one that came before.

        Raises:
            NoAnswerError: none comes in time.
        """
        return _state_from_status((yield Expecting(EgoVehicleStatus, wait)))

    @operation
    def objects(self, *, wait: bool = False) -> Steps[tuple[SeenObject, ...]]:
        """Up to 20 objects around the ego vehicle, the nearest first; arguments and errors as of `state`."""
        message = yield Expecting(ObjectInfo, wait)
        return tuple(_seen(slot) for slot in message.objects)

    @operation
    def collisions(self, *, wait: bool = False) -> Steps[tuple[str, ...]]:
        """Ids of those that the ego vehicle touches; arguments and errors as of `state`."""
        message = yield Expecting(CollisionData, wait)
        return tuple(str(slot.obj_id) for slot in message.collisions if slot.obj_id)

    @operation
    def light(self, *, wait: bool = False) -> Steps[TrafficLight]:
        """The traffic light that the ego vehicle faces; arguments and errors as of `state`."""
        status = yield Expecting(GetTrafficLightStatus, wait)
        return TrafficLight(status.index, Light(status.status) if status.status > 0 else Light.OFF)

    def _decode(self, kind: type[Wire], data: bytes) -> Wire:
        _, message = self._reader.read(data, len(data))
        if not isinstance(message, kind):
            raise WireError("header", f"is a {type(message).__name__}", kind.__name__)
        return message

    def _control(self, kind: LongCmdType, steer: float, **numbers: float) -> Sending:
        values = {"velocity": 0.0, "acceleration": 0.0, "accel": 0.0, "brake": 0.0, **numbers}
        if not all(math.isfinite(number) for number in (steer, *values.values())):
            raise ClientError("EgoCtrlCmd cannot be sent: a number is NaN or infinite", "give numbers in range")
        share = min(max(steer / self._max_steer, -1.0), 1.0)
        command = EgoCtrlCmd(ctrl_mode=CtrlMode.AUTO, gear=self._gear, cmd_type=kind, steer=share, **values)
        return self._sending(self._ports.control, command)

    def _sending(self, port: int, message: Wire) -> Sending:
        try:
            return Sending(port, codec_of(type(message), self._revision).encode(message))
        except WireError as error:
            raise ClientError(f"{type(message).__name__} cannot be sent: {error}", "give numbers in range") from None

    def _send(self, step: Sending) -> Any:
        try:
            self._socket.sendto(step.data, (self._host, step.port))
        except OSError as error:
            raise ClientError(f"{self._host}:{step.port} cannot be sent to: {error.strerror}") from None

    def _had(self, step: Expecting) -> Any:
        """The message that has come already, None for none."""
        last = self._last.get(step.kind)
        found = self._inboxes[step.kind].newest(None if step.wait else last)
        self._last[step.kind] = found if found is not None else last
        return found

    def _wait_for(self, step: Expecting) -> tuple[Callable[[], Any], tuple[DatagramInbox[Any]], float]:
        """Arguments of `receive` for a message; with `wait`, what came before does not count."""
        inbox = self._inboxes[step.kind]
        if step.wait:
            for _ in inbox.drain():
                pass
        return partial(self._had, step), (inbox,), self._timeout

    def _received(self, step: Expecting, message: Any) -> Any:
        """A message.

        Raises:
            NoAnswerError: there is none.
        """
        if message is None:
            raise self._inboxes[step.kind].silence(self._timeout)
        return message


class UdpVehicle(UdpOperations, Blocking):
    """The ego vehicle: drive it, and receive its messages. One thread at a time may use it.

        with UdpVehicle() as car:
            car.drive(accelerator=0.3)
            print(car.state().position)

    Arguments and errors: as of `UdpOperations`.
    """

    def _take(self, step: Sending | Expecting) -> Any:
        if isinstance(step, Sending):
            return self._send(step)
        return self._received(step, receive(*self._wait_for(step)))


class AsyncUdpVehicle(UdpOperations, Awaiting):
    """The same for asyncio, with methods to be awaited: `await car.drive(accelerator=0.3)`.

    Arguments and errors: as of `UdpOperations`.
    """

    async def _take(self, step: Sending | Expecting) -> Any:
        if isinstance(step, Sending):
            return self._send(step)
        return self._received(step, await receive_async(*self._wait_for(step)))


def _triple(values: Sequence[float]) -> Triple:
    x, y, z = values
    return x, y, z


def _state_from_status(status: EgoVehicleStatus) -> State:
    return State(
        time=status.time / 1e9,
        id="1",
        kind="ego",
        model="",
        position=_triple(status.position),
        rotation=_triple(status.rotation),
        velocity=turned(status.velocity, status.rotation),
        acceleration=turned(status.acceleration, status.rotation),
        yaw_rate=status.angular_velocity[2],
        size=_triple(status.size),
        steer=status.steer_angle,
        accelerator=status.accel,
        brake=status.brake,
        gear=Gear(status.gear).name,
    )


def _seen(slot: ObjectSlot) -> SeenObject:
    heading = (0.0, 0.0, slot.heading)
    return SeenObject(
        id=str(slot.obj_id),
        kind=_KINDS[ObjectType(slot.obj_type)],
        model="",
        position=_triple(slot.position),
        heading=slot.heading,
        velocity=turned(slot.velocity, heading),
        acceleration=turned(slot.acceleration, heading),
        size=_triple(slot.size),
    )
