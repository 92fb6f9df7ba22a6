"""Objects of an OpenDRIVE file (ASAM OpenDRIVE 1.8, 13)."""

from __future__ import annotations

from dorosim.road.opendrive.element import OdrElement
from dorosim.road.opendrive.object_record import (
    LaneValidity,
    ObjectBorder,
    ObjectMarking,
    ObjectParkingSpace,
    ObjectRepeat,
    OdrObject,
    OdrObjectReference,
    OdrOutline,
    OutlineCorner,
)


def object_from_element(element: OdrElement) -> OdrObject:
    """An object.

    Raises:
        InputError: its place is missing, or a value cannot be used.
    """
    if element.node.get("id"):  # exporters leave it away, and nothing but a reference needs it
        element.enter("object")
    parking = element.child("parkingSpace")
    return element.record(
        OdrObject,
        outlines=tuple(map(_outline, (*element.inside("outlines", "outline"), *element.children("outline")))),
        repeats=tuple(one.record(ObjectRepeat) for one in element.children("repeat")),
        markings=tuple(
            one.record(ObjectMarking, corner_references=_corner_references(one))
            for one in element.inside("markings", "marking")
        ),
        borders=tuple(
            one.record(ObjectBorder, corner_references=_corner_references(one))
            for one in element.inside("borders", "border")
        ),
        validities=validities_of(element),
        parking_space=None if parking is None else parking.record(ObjectParkingSpace),
        user_data=element.user_data(),
    )


def object_reference_from_element(element: OdrElement) -> OdrObjectReference:
    """An object that another road has.

    Raises:
        InputError: its id or place is missing, or a value cannot be used.
    """
    return element.record(OdrObjectReference, validities=validities_of(element))


def validities_of(element: OdrElement) -> tuple[LaneValidity, ...]:
    """The lanes for which something counts; none is all of them.

    Raises:
        InputError: a lane is not a whole number.
    """
    return tuple(one.record(LaneValidity) for one in element.children("validity"))


def _corner_references(element: OdrElement) -> tuple[str, ...]:
    """The corners of an outline that a marking or border joins."""
    return tuple(one.text("id") for one in element.children("cornerReference"))


def _outline(element: OdrElement) -> OdrOutline:
    """An outline."""
    return element.record(OdrOutline, corners=tuple(map(_corner, element.children("cornerRoad", "cornerLocal"))))


def _corner(element: OdrElement) -> OutlineCorner:
    """A corner, in the frame of the object or along the road."""
    local = element.tag == "cornerLocal"
    first, second, z = ("u", "v", "z") if local else ("s", "t", "dz")
    return OutlineCorner(
        local=local,
        first=element.number(first),
        second=element.number(second),
        z=element.number(z, 0.0),
        height=element.number("height", 0.0),
        id=element.text("id", ""),
    )
