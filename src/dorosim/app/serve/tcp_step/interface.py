"""Where the interfaces of a project send vehicles and collisions, and where they take control."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from dorosim.app.store.project import interfaces_of_project, template_of_project
from dorosim.endpoint.tcp_step.settings import ControlInput, EventOutput, InfoOutput
from dorosim.endpoint.udp.network import moved_address
from dorosim.endpoint.udp.socket import LAST_PORT, Address
from dorosim.ground.error import InputError
from dorosim.scenario.morai.project import Interface, InterfaceAddress, ProjectFileRecord
from dorosim.wire.tcp_step.datagram import CollisionEvent, VehicleInfo
from dorosim.wire.tcp_step.template import Template

SECOND = 1_000_000_000
MIN_HERTZ, MAX_HERTZ = 0.01, 1000.0
CONTROL = (("throttle", "d"), ("brake", "d"), ("steering_wheel_angle", "d"))
"""Variables and types of the one layout of control that comes in."""


class ProjectOutputs(NamedTuple):
    """What the interfaces of a project ask for.

    Attributes:
        infos, events, controls: as of `StepOutputs`.
        pictures: addresses to which its cameras send.
        notes: what of it is not done, one line each.
    """

    infos: tuple[InfoOutput, ...] = ()
    events: tuple[EventOutput, ...] = ()
    controls: tuple[ControlInput, ...] = ()
    pictures: tuple[Address, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def goals(self) -> frozenset[Address]:
        """All addresses to which something goes: there, programs of the user listen."""
        return frozenset((*(one.to for one in self.infos), *(one.to for one in self.events), *self.pictures))


def outputs_of_project(path: Path, project: ProjectFileRecord, ports: int = 0) -> ProjectOutputs:
    """The datagrams of a project.

    Args:
        path: its file, in whose folder its interfaces and templates lie.
        project: what it holds.
        ports: by how many their ports are moved on.
    """
    interfaces, broken = interfaces_of_project(path, project)
    found = ProjectOutputs(notes=broken)
    for one in interfaces:
        if not one.active:
            continue
        try:
            found = _with(found, path, one, ports)
        except InputError as error:
            found = found._replace(notes=(*found.notes, f"interface {one.name!r} is not used: {error}"))
    return found


def _with(found: ProjectOutputs, path: Path, one: Interface, ports: int) -> ProjectOutputs:
    """What one more interface asks for.

    Raises:
        InputError: it cannot be done.
    """
    if one.network.upper() != "UDP":
        raise InputError(
            one.name, "networkType", f"{one.network!r} is not UDP", "other ways have settings of their own"
        )
    template = template_of_project(path, one.template)
    vehicles: list[str | int] = [entity.name for entity in one.entities] or [1]
    if one.direction.upper() == "RECEIVE":
        if tuple(template_fields(template).items()) != CONTROL:
            problem = f"{template.name!r} is not the layout throttle, brake, steering_wheel_angle of doubles"
            raise InputError(one.template, "", problem, "commands of other layouts come over TCP")
        taken = ControlInput(_address(one.host, ports), vehicles[0])
        return found._replace(controls=(*found.controls, taken))
    to = _address(one.destination, ports)
    if template.of is VehicleInfo:
        period = round(SECOND / min(max(one.hertz, MIN_HERTZ), MAX_HERTZ))
        infos = (InfoOutput(vehicle, to, template=template, period=period) for vehicle in vehicles)
        return found._replace(infos=(*found.infos, *infos))
    if template.of is CollisionEvent:
        events = (EventOutput(to, vehicle, template) for vehicle in vehicles)
        return found._replace(events=(*found.events, *events))
    if template.is_picture:  # the camera sends it
        return found._replace(pictures=(*found.pictures, to))
    raise InputError(one.template, "", f"{template.name!r} is a layout that is not sent", "sensors send their own")


def template_fields(template: Template) -> Mapping[str, str]:
    """Variables of a template that stand once, and their codes of `struct`."""
    return {field.path: field.code for field in template.fields}


def _address(one: InterfaceAddress, ports: int) -> Address:
    if not one.ip or not 0 < one.port <= LAST_PORT:
        raise InputError("", "", f"{one.ip}:{one.port} is not a valid address", "give a host and a port")
    return moved_address(Address(one.ip, one.port), ports)
