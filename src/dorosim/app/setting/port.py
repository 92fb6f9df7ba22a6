"""The ports of a run, which its port offset moves all together."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from dorosim.app.setting.address import address_from_text
from dorosim.app.setting.network import udp_network_of
from dorosim.app.setting.settings import Settings
from dorosim.app.setting.step import TcpStepSettings
from dorosim.app.setting.tcp_step import step_addresses
from dorosim.endpoint.udp.network import MAX_ADDRESSED_EGOS, moved_address
from dorosim.endpoint.udp.socket import LAST_PORT
from dorosim.ground.error import InputError


class PortSet(NamedTuple):
    """Ports of a run.

    Attributes:
        udp, tcp: at which the run takes datagrams and connections: no other program may have them.
        others: that it sends from and to.
        room: of ego vehicles that clients may add while it goes on.
    """

    udp: frozenset[int]
    tcp: frozenset[int]
    others: frozenset[int]
    room: frozenset[int]

    @property
    def all(self) -> frozenset[int]:
        """All of them, without the room."""
        return self.udp | self.tcp | self.others


def check_port_offset(settings: Settings, data: Path) -> None:
    """Refuse a port offset that leads one of the ports of a run beyond the last one.

    Args:
        settings: all of them.
        data: the data folder.

    Raises:
        InputError: with the greatest offset that moves all of its ports.
    """
    offset = settings.port_offset
    if offset <= 0:
        return
    greatest = 0
    with contextlib.suppress(InputError):  # an address or a file that is wrong is reported where it is read
        greatest = max(ports_of(replace(settings, port_offset=0), data).all, default=0)
    if greatest + offset > LAST_PORT:
        problem = f"{offset} is too large: port {greatest} would become {greatest + offset}"
        raise InputError("settings", "port_offset", problem, f"give 0 to {LAST_PORT - greatest}")


def with_moved_ports(settings: Settings) -> Settings:
    """Settings with the addresses of what is served moved by the port offset; the offset itself stays in them.

    Addresses of UDP are moved where they are read (`udp_network_of`), and those of sensors
    (`dorosim.app.serve.sensor.store.plan_sensors`).

    Raises:
        InputError: an address is none, or there is no port so far on.
    """
    ports = settings.port_offset
    if not ports:
        return settings
    view, grpc, ros, step = settings.view, settings.grpc, settings.ros, settings.tcp_step
    if view.enabled:
        view = replace(view, address=_moved("view.address", view.address, ports))
    if grpc.enabled:
        grpc = replace(grpc, address=_moved("grpc.address", grpc.address, ports))
    if _serves_ros(settings):
        ros = replace(ros, server=_moved("ros.server", ros.server, ports))
    if step.enabled:
        step = _moved_step(step, ports)
    return replace(settings, view=view, grpc=grpc, ros=ros, tcp_step=step)


def _moved_step(step: TcpStepSettings, ports: int) -> TcpStepSettings:
    """The fixed step with all of its addresses moved."""
    return replace(
        step,
        address=_moved("tcp_step.address", step.address, ports),
        vehicle_info=tuple(_moved_text("tcp_step.vehicle_info", text, ports) for text in step.vehicle_info),
        collision=_moved_text("tcp_step.collision", step.collision, ports),
        control=tuple(_moved_text("tcp_step.control", text, ports) for text in step.control),
    )


def ports_of(settings: Settings, data: Path) -> PortSet:
    """The ports of a run with its port offset.

    Args:
        settings: all of them.
        data: the data folder.

    Raises:
        InputError: an address or a file is wrong, or there is no port so far on.
    """
    from dorosim.bridge.sensor.kind import OUTPUTS

    network = udp_network_of(settings, data)[0]
    whole, more = network.of_egos(len(settings.ego)), network.of_egos(MAX_ADDRESSED_EGOS)
    moved = with_moved_ports(settings)
    step = step_addresses(moved.tcp_step)
    served = [one.address for one in (moved.view, moved.grpc, moved.tcp_step) if one.enabled]
    served += [moved.ros.server] if _serves_ros(settings) else []
    offset = settings.port_offset
    sensors = [one.port + offset for one in OUTPUTS.values() if one.port is not None]
    others, room = (
        {address.port for one in each.publications for address in (one.source, one.destination)}
        for each in (whole, more)
    )
    return PortSet(
        udp=frozenset(address.port for address in (*whole.listen, *step.controls.values())) - {0},
        tcp=frozenset(address_from_text("settings", "", text).port for text in served) - {0},
        others=frozenset({*others, *sensors, *_sensor_ports(settings, data), *(one.port for one in step.goals)} - {0}),
        room=frozenset({*room, *(address.port for address in more.listen)} - {0}),
    )


def _sensor_ports(settings: Settings, data: Path) -> Iterator[int]:
    """Ports to which and from which sensors send that have addresses of their own."""
    rows = [text for row in settings.sensor for text in (row.to, row.source) if text is not None]
    for text in rows:
        yield address_from_text("settings", "sensor", text).port + settings.port_offset
    if settings.sensors is not None:
        from dorosim.app.serve.sensor.store import find_sensor_set
        from dorosim.scenario.sensor_set.read import items_of

        for _, _, item in items_of(find_sensor_set(settings.sensors, data).file):
            udp = item.block.udp
            yield from (port + settings.port_offset for port in (udp.host_port, udp.destination_port) if port)


def _serves_ros(settings: Settings) -> bool:
    from dorosim.app.serve.ros.rosbridge import is_off

    return not settings.ros.bridge and not is_off(settings.ros.server)


def _moved(key: str, text: str, ports: int) -> str:
    return str(moved_address(address_from_text("settings", key, text), ports))


def _moved_text(key: str, text: str, ports: int) -> str:
    """An address as a user wrote it, moved; an empty text stays."""
    return _moved(key, text, ports) if text.strip() else text
