"""A function of Python that drives the ego vehicle of a cell, in the process of the run."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import math
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from dorosim.ground.error import InputError, one_line
from dorosim.scenario.criterion.moment import RunMoment
from dorosim.world.vehicle.command import DriveVehicle
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear

Pedals = tuple[float, float, float]
"""Accelerator and brake, 0 to 1, and angle of the front wheels, left positive [rad]."""
DriveFunction = Callable[[RunMoment], Pedals]

_CURE = 'write "FILE.py:NAME" or "MODULE:NAME"'
_MODULE = "dorosim_sweep_stack"


class StackFaultError(Exception):
    """A stack broke: what it raised or returned."""


def function_of(given: str, base: Path) -> Any:
    """The function or class that a plan names.

    Args:
        given: "FILE.py:NAME" or "MODULE:NAME".
        base: folder of the file.

    Raises:
        InputError: there is none, or it cannot be called.
    """
    place, colon, name = given.rpartition(":")
    if not colon or not name.isidentifier():
        raise InputError(given, "", "names no function", _CURE)
    module = _module(given, place, base)
    found = getattr(module, name, None)
    if not callable(found):
        there = [one for one, value in vars(module).items() if callable(value) and not one.startswith("_")]
        raise InputError(given, "", f"has no function {name!r}", f"it has {', '.join(there[:10]) or 'none'}")
    return found


def _module(given: str, place: str, base: Path) -> ModuleType:
    """A module by its file or name.

    Raises:
        InputError: it cannot be had.
    """
    path = base / place
    if place.endswith(".py") and not path.is_file():
        raise InputError(given, "", f"file {place!r} is not there", _CURE)
    try:
        if not place.endswith(".py"):
            if str(base) not in sys.path:
                sys.path.insert(0, str(base))
            return importlib.import_module(place)
        name = f"{_MODULE}_{path.stem}"
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    except Exception as error:
        raise InputError(
            given, "", f"cannot be loaded: {type(error).__name__}: {one_line(str(error))}", _CURE
        ) from None
    return module


def driver_of(found: Any) -> DriveFunction:
    """What drives one run: the function itself, or an object of the class, new for each run."""
    made: Any = found() if inspect.isclass(found) else found
    return cast("DriveFunction", made)


def drive_with(function: Callable[[Any], Any], seen: object) -> Any:
    """What a function answers to what it sees.

    Raises:
        StackFaultError: it raises an error.
    """
    try:
        return function(seen)
    except Exception as error:
        raise StackFaultError(f"the function raised {fault_of(error)}") from None


def fault_of(error: Exception) -> str:
    """An error with the place that raised it."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    at = "" if trace is None else f" ({Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno})"
    return f"{type(error).__name__}: {one_line(str(error))}{at}"


def command_from_pedals(actor: int, answer: object) -> DriveVehicle:
    """The command that a function's answer asks for.

    Args:
        actor: id of the vehicle.
        answer: should be (accelerator, brake, steer).

    Raises:
        StackFaultError: it is not.
    """
    try:
        accelerator, brake, steer = (float(one) for one in answer)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        problem = f"the function returned {one_line(repr(answer))[:80]}, and not (accelerator, brake, steer)"
        raise StackFaultError(problem) from None
    if not all(map(math.isfinite, (accelerator, brake, steer))):
        raise StackFaultError(f"the function returned {accelerator:g}, {brake:g}, {steer:g}, which no pedal can take")
    return DriveVehicle(
        actor=actor,
        kind=ControlKind.PEDALS,
        mode=ControlMode.AUTO,
        gear=Gear.D,
        accelerator=min(max(accelerator, 0.0), 1.0),
        brake=min(max(brake, 0.0), 1.0),
        steer=steer,
    )
