"""Where the datagrams of the fixed step go and come, by the settings."""

from __future__ import annotations

from pathlib import Path

from dorosim.app.setting.step import TcpStepSettings
from dorosim.app.setting.tcp_step import step_addresses
from dorosim.endpoint.tcp_step.settings import ControlInput, EventOutput, InfoOutput, StepOutputs
from dorosim.ground.error import InputError
from dorosim.recording.whole_file import read_file
from dorosim.wire.tcp_step.datagram import VehicleInfo
from dorosim.wire.tcp_step.template import Template, read_template

SECOND = 1_000_000_000


def outputs_of(settings: TcpStepSettings) -> StepOutputs:
    """The datagrams of some settings.

    Raises:
        InputError: an address or the template cannot be used.
    """
    found = step_addresses(settings)
    template, period = info_template(settings), round(SECOND / settings.rate_hz)
    return StepOutputs(
        tuple(InfoOutput(ego, to, settings.wheels, template, period) for ego, to in found.infos.items()),
        () if found.collision is None else (EventOutput(found.collision),),
        tuple(ControlInput(at, ego) for ego, at in found.controls.items()),
    )


def info_template(settings: TcpStepSettings) -> Template | None:
    """The layout of Vehicle Info that the settings name, None for the usual one.

    Raises:
        InputError: the file cannot be read, or is not a layout of a vehicle.
    """
    if settings.template is None:
        return None
    template = read_template(settings.template, read_file(Path(settings.template)))
    if template.of is not VehicleInfo:
        problem = f"{template.name!r} is not a layout of a vehicle"
        raise InputError(settings.template, "", problem, "give one like 'Vehicle Info.tmpl'")
    return template
