"""Objects and signals of an OpenDRIVE file from records (ASAM OpenDRIVE 1.8, 13 and 14)."""

from __future__ import annotations

from typing import Any

from dorosim.road.opendrive.export.element_writer import add, add_user_data
from dorosim.road.opendrive.object_record import OdrObject, OdrOutline
from dorosim.road.opendrive.record import OdrRoad


def add_objects(parent: Any, road: OdrRoad) -> None:
    """Add `<objects>` to a road that has some.

    Raises:
        InputError: a number is not finite.
    """
    if not (road.objects or road.object_references or road.tunnels or road.bridges):
        return
    node = add(parent, "objects")
    for one in road.objects:
        _add_object(node, one)
    for reference in road.object_references:
        _add_validities(add(node, "objectReference", reference, "orientation"), reference)
    for tunnel in road.tunnels:
        add(node, "tunnel", tunnel, "type")
    for bridge in road.bridges:
        add(node, "bridge", bridge)


def add_signals(parent: Any, road: OdrRoad) -> None:
    """Add `<signals>` to a road that has some.

    Raises:
        InputError: a number is not finite.
    """
    if not (road.signals or road.signal_references):
        return
    node = add(parent, "signals")
    for signal in road.signals:
        one = add(node, "signal", signal, "z_offset dynamic orientation h_offset", type=signal.type or "none")
        one.set("subtype", signal.subtype or "none")
        _add_validities(one, signal)
        for dependency in signal.dependencies:
            add(one, "dependency", dependency)
        for element in signal.references:
            add(one, "reference", element)
        if signal.road_position is not None:
            add(one, "positionRoad", signal.road_position, "z_offset h_offset")
        if signal.map_position is not None:
            add(one, "positionInertial", signal.map_position, "z hdg")
        add_user_data(one, signal.user_data)
    for reference in road.signal_references:
        _add_validities(add(node, "signalReference", reference, "orientation"), reference)


def _add_object(parent: Any, one: OdrObject) -> None:
    """An object."""
    node = add(parent, "object", one, "z_offset orientation hdg")
    for repeat in one.repeats:
        add(node, "repeat", repeat)
    if one.outlines:
        # CARLA finds crosswalks by an outline directly in the object, as until 1.4
        outlines = node if len(one.outlines) == 1 else add(node, "outlines")
        for outline in one.outlines:
            _add_outline(outlines, outline)
    _add_validities(node, one)
    if one.parking_space is not None:
        add(node, "parkingSpace", one.parking_space)
    for tag, members in (("marking", one.markings), ("border", one.borders)):
        group = add(node, f"{tag}s") if members else None
        for member in members:
            item = add(group, tag, member)
            for corner in member.corner_references:
                add(item, "cornerReference", id=corner)
    add_user_data(node, one.user_data)


def _add_outline(parent: Any, outline: OdrOutline) -> None:
    """An outline with its corners."""
    node = add(parent, "outline", outline, "outer closed")
    for corner in outline.corners:
        names = ("u", "v", "z") if corner.local else ("s", "t", "dz")
        values: dict[str, Any] = dict(zip(names, (corner.first, corner.second, corner.z), strict=True))
        add(node, "cornerLocal" if corner.local else "cornerRoad", **values, height=corner.height, id=corner.id or None)


def _add_validities(node: Any, of: Any) -> None:
    """The lanes for which something counts."""
    for validity in of.validities:
        add(node, "validity", validity)
