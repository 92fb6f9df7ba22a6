"""Limits of the server, and where datagrams go and come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dorosim.bridge.tcp_step.situation import TimeForm
from dorosim.endpoint.udp.socket import Address
from dorosim.wire.tcp_step.template import Template

InfoAfter = Literal["auto", "step", "save"]
"""After what Vehicle Info is sent while clients step the run by TCP; see `dorosim.endpoint.tcp_step.info_rule`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepLimits:
    """Limits of the server.

    Attributes:
        clients: most connections at a time.
        frame_s: longest wall time from the first byte of a frame to its last one, and of an answer that its client does
            not take [s].
        answer_s: longest wall time that a command or a step takes, beside the simulated time of the steps [s].
    """

    clients: int = 16
    frame_s: float = 10.0
    answer_s: float = 30.0


@dataclass(frozen=True, slots=True)
class InfoOutput:
    """Where the Vehicle Info of a vehicle goes.

    Attributes:
        vehicle: number of the ego vehicle, from 1 in the order of creation, or the id by which clients know one.
        to: address. wheels: whether the places of its wheels stand behind it.
        template: layout, None for the usual one, which `wheels` is of.
        period: simulated time from one to the next while no client steps the run by TCP [ns].
    """

    vehicle: int | str
    to: Address
    wheels: bool = False
    template: Template | None = None
    period: int = 20_000_000


@dataclass(frozen=True, slots=True)
class EventOutput:
    """Where the collision events of all vehicles with full dynamics go, or of one.

    Attributes:
        to: address. vehicle: as of `InfoOutput`, 0 for all.
        template: layout, None for the usual one.
    """

    to: Address
    vehicle: int | str = 0
    template: Template | None = None


@dataclass(frozen=True, slots=True)
class ControlInput:
    """Where datagrams come that drive a vehicle.

    Attributes:
        at: address. vehicle: as of `InfoOutput`.
    """

    at: Address
    vehicle: int | str


@dataclass(frozen=True, slots=True)
class StepOutputs:
    """All datagrams of the interface."""

    infos: tuple[InfoOutput, ...] = ()
    events: tuple[EventOutput, ...] = ()
    controls: tuple[ControlInput, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StepOptions:
    """How the server answers.

    Attributes:
        time_form: in which a client speaks of time that has not shown it. info_after: as of `InfoAfter`.
    """

    time_form: TimeForm = TimeForm.SECOND
    info_after: InfoAfter = "auto"
