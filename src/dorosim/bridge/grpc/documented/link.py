"""Queries of links (documents/grpc-api-en.txt, Open Scenario)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from google.protobuf.message import Message

from dorosim.bridge.grpc.call import Procedure
from dorosim.bridge.link import Side, last_point, links_beside, vehicles_on_link
from dorosim.bridge.situation import Situation
from dorosim.wire.grpc.descriptor import MORAI_MSGS


def _lane(side: Side) -> Procedure:
    """The lane to one side; no result where there is none, or no such link."""

    def procedure(request: Any, at: Situation) -> Message:
        row = at.index.link_row(request.unique_id)
        lanes = () if row < 0 else links_beside(at.scene.network, row, side)
        if not lanes:
            return MORAI_MSGS.GetLinkResponse(result=False)
        return MORAI_MSGS.GetLinkResponse(result=True, unique_id=at.scene.network.link_ids[lanes[0]])

    return procedure


def _links(side: Side, touching: Callable[[Any, int], int]) -> Procedure:
    """The links at one end; `touching` is the point of each that lies there."""

    def procedure(request: Any, at: Situation) -> Message:
        network, row = at.scene.network, at.index.link_row(request.unique_id)
        links = () if row < 0 else links_beside(network, row, side)
        found = [{"unique_id": network.link_ids[link], "index": touching(network, link)} for link in links]
        return MORAI_MSGS.GetLinkResponseList(result=bool(found), res_list=found)

    return procedure


def _vehicles(request: Any, at: Situation) -> Message:
    row = at.index.link_row(request.unique_id)
    if row < 0:
        return MORAI_MSGS.GetVehiclesOnLinkResponseList(result=False)
    vehicles = vehicles_on_link(at.scene, at.now, row)
    return MORAI_MSGS.GetVehiclesOnLinkResponseList(
        result=True, res_list=[{"unique_id": at.names.text_of(actor)} for actor in vehicles]
    )


PROCEDURES: dict[str, Procedure] = {
    "GetLeftLink": _lane(Side.LEFT),
    "GetRightLink": _lane(Side.RIGHT),
    "GetToLinks": _links(Side.TO, lambda _, __: 0),
    "GetFromLinks": _links(Side.FROM, last_point),
    "GetVehiclesOnLink": _vehicles,
}
"""By name."""
_WHOLE = "the answer is about the whole link, whichever of its points is named"
WITHOUT_EFFECT: dict[str, str] = {f"{name}.index": _WHOLE for name in (*PROCEDURES, "GetTrafficLightInfoByLink")}
"""What has no effect, by message or procedure and field, and why."""
