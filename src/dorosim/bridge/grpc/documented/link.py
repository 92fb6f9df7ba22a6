"""Queries of links (documents/grpc-api-en.txt, Open Scenario)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from dorosim.bridge.grpc.call import Procedure
from dorosim.bridge.link import Side, last_point, links_beside, vehicles_on_link
from dorosim.bridge.situation import Situation
from dorosim.wire.grpc.descriptor import message_class

if TYPE_CHECKING:
    from google.protobuf.message import Message

GetLinkResponse = message_class("morai_msgs.GetLinkResponse")
GetLinkResponseList = message_class("morai_msgs.GetLinkResponseList")
GetVehiclesOnLinkResponseList = message_class("morai_msgs.GetVehiclesOnLinkResponseList")


def _lane(side: Side) -> Procedure:
    """The lane to one side; no result where there is none, or no such link."""

    def procedure(request: Any, at: Situation) -> Message:
        row = at.index.link_row(request.unique_id)
        lanes = () if row < 0 else links_beside(at.scene.network, row, side)
        if not lanes:
            return GetLinkResponse(result=False)
        return GetLinkResponse(result=True, unique_id=at.scene.network.link_ids[lanes[0]])

    return procedure


def _links(side: Side, touching: Callable[[Any, int], int]) -> Procedure:
    """The links at one end; `touching` is the point of each that lies there."""

    def procedure(request: Any, at: Situation) -> Message:
        network, row = at.scene.network, at.index.link_row(request.unique_id)
        links = () if row < 0 else links_beside(network, row, side)
        found = [{"unique_id": network.link_ids[link], "index": touching(network, link)} for link in links]
        return GetLinkResponseList(result=bool(found), res_list=found)

    return procedure


def _vehicles(request: Any, at: Situation) -> Message:
    row = at.index.link_row(request.unique_id)
    if row < 0:
        return GetVehiclesOnLinkResponseList(result=False)
    vehicles = vehicles_on_link(at.scene, at.now, row)
    return GetVehiclesOnLinkResponseList(
        result=True, res_list=[{"unique_id": at.names.text_of(actor)} for actor in vehicles]
    )


LINKS: dict[str, Procedure] = {
    "GetLeftLink": _lane(Side.LEFT),
    "GetRightLink": _lane(Side.RIGHT),
    "GetToLinks": _links(Side.TO, lambda _, __: 0),
    "GetFromLinks": _links(Side.FROM, last_point),
    "GetVehiclesOnLink": _vehicles,
}
"""By name."""
_WHOLE = "the answer is about the whole link, whichever of its points is named"
WITHOUT_EFFECT: dict[str, str] = {f"{name}.index": _WHOLE for name in (*LINKS, "GetTrafficLightInfoByLink")}
"""What has no effect, by message or procedure and field, and why."""
