"""Traffic lights and intersections (facts/udp-wire.md, 3.5 and 3.7).

A light's status is a sum of lamps: 1 red, 4 yellow, 16 green, 32 green left; -1 none.
"""

from __future__ import annotations

from dorosim.ground.unit import SECOND
from dorosim.wire.message import Envelope, Layout, Wire, chars, f32, i16, message


@message(
    Envelope("TrafficLight"),
    to="user",
    source="UDP page, Get TrafficLight Status; facts/udp-wire.md 3.5",
    layouts=(Layout(48),),
    default_port=7502,
)
class GetTrafficLightStatus(Wire):
    """State of the traffic light that the ego vehicle faces."""

    index: str = chars(12, "MGeo id of the light")
    type: int = i16("0 R-Y-G, 1 R-Y-GLeft, 2 R-Y-GLeft-G, 100 Y-Y-Y")
    status: int = i16("lit lamps; see Codes of traffic lights")


@message(
    Envelope("TrafficLight"),
    to="simulator",
    source="UDP page, Set TrafficLight Ctrl; facts/udp-wire.md 3.5",
    layouts=(Layout(46),),
    default_port=7607,
)
class SetTrafficLightCtrl(Wire):
    """Sets one traffic light until it is set again.

    Status -1 gives it back to its programme (design/seams.md, Codes). Other lights of the junction stay as they are.
    """

    index: str = chars(12, "MGeo id of the light", pad=b" ")
    status: int = i16("lamps to light; see Codes of traffic lights")


@message(
    Envelope("IntStatus"),
    to="user",
    source="UDP page, Get Intersection Status; facts/udp-wire.md 3.7",
    layouts=(Layout(37),),
    default_port=9102,
)
class GetIntersectionStatus(Wire):
    """State of the intersection to which the reported traffic light belongs."""

    index: int = i16("number of the intersection's controller")
    status: int = i16("index of its present state")
    elapsed: float = f32(SECOND, "time in the present state")


@message(
    Envelope("SetIntStatus"),
    to="simulator",
    source="UDP page, Set Intersection Status; facts/udp-wire.md 3.7",
    layouts=(Layout(40),),
    default_port=9132,
)
class SetIntersectionStatus(Wire):
    """Sets the state of an intersection; its programme goes on from there."""

    index: int = i16("number of the intersection's controller")
    status: int = i16("index of the state")
    elapsed: float = f32(SECOND, "time in that state", low=0.0, high=1e6, beyond="refuse")
