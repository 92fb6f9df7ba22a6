"""Signals and controllers of an OpenDRIVE file (ASAM OpenDRIVE 1.8, 14)."""

from __future__ import annotations

from dorosim.road.opendrive.element import OdrElement
from dorosim.road.opendrive.object_reader import validities_of
from dorosim.road.opendrive.signal_record import (
    ControlledSignal,
    OdrController,
    OdrSignal,
    OdrSignalReference,
    SignalDependency,
    SignalElementReference,
    SignalMapPosition,
    SignalRoadPosition,
)


def signal_from_element(element: OdrElement) -> OdrSignal:
    """A signal.

    Raises:
        InputError: its id or place is missing, or a value cannot be used.
    """
    element.enter("signal")
    on_road, on_map = element.child("positionRoad"), element.child("positionInertial")
    return element.record(
        OdrSignal,
        validities=validities_of(element),
        dependencies=tuple(one.record(SignalDependency) for one in element.children("dependency")),
        references=tuple(one.record(SignalElementReference) for one in element.children("reference")),
        road_position=None if on_road is None else on_road.record(SignalRoadPosition),
        map_position=None if on_map is None else on_map.record(SignalMapPosition),
        user_data=element.user_data(),
    )


def signal_reference_from_element(element: OdrElement) -> OdrSignalReference:
    """A signal that counts here too.

    Raises:
        InputError: its id or place is missing, or a value cannot be used.
    """
    return element.record(OdrSignalReference, validities=validities_of(element))


def controller_from_element(element: OdrElement) -> OdrController:
    """A controller.

    Raises:
        InputError: its id, or that of a signal, is missing.
    """
    element.enter("controller")
    return element.record(
        OdrController,
        signals=tuple(one.record(ControlledSignal) for one in element.children("control")),
        user_data=element.user_data(),
    )
