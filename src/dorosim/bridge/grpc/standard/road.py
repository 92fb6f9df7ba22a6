"""The service Map: the map's files, neighbours of links, vehicles on them."""

from __future__ import annotations

import base64
import gzip
from typing import Any

from google.protobuf.message import Message

from dorosim.bridge.grpc.call import Procedure
from dorosim.bridge.link import Side, known_link, links_beside, vehicles_on_link
from dorosim.bridge.situation import Situation
from dorosim.ground.error import InputError
from dorosim.wire.grpc.descriptor import SIM_API

MAX_ANSWER_SIZE = 32 * 1024 * 1024
"""Bytes that the product's SDK takes at most (facts/ros-grpc-mgeo.md, 2.3)."""
_ENVELOPE = 64
"""Bytes of a file's entry besides its name and content, at most."""
_VEHICLE = 1
"""Code of ObjectType."""
_SIDES = {1: Side.LEFT, 2: Side.RIGHT, 3: Side.FROM, 4: Side.TO}
"""By NeighborLinkType."""


def _get_files(request: Any, at: Situation) -> Message:
    """The files of a map, the present one where none is named; each as base64 of gzip of its JSON.

    The same files give the same bytes, whenever that is: the time in the head of gzip is 0.
    """
    name = request.value.strip() or at.host.runs.map_name
    answer, size = SIM_API.map.MGeoData(), 0
    for file_name, content in at.host.files.mgeo(name):
        text = base64.b64encode(gzip.compress(content, mtime=0)).decode("ascii")
        size += len(text) + len(file_name.encode()) + _ENVELOPE
        if size > MAX_ANSWER_SIZE:
            limit = f"{MAX_ANSWER_SIZE >> 20} MiB, more than which clients do not take"
            raise InputError("GetMGeo", name, f"the files of this map do not fit into {limit}", "copy its folder")
        answer.objects.add(filename=file_name, compressed_data=text)
    return answer


def _get_neighbours(request: Any, at: Situation) -> Message:
    side = _SIDES.get(request.type)
    if side is None:
        known = ", ".join(f"{code} {one.name}" for code, one in _SIDES.items())
        raise InputError("GetNeighborLink", "type", "is not set", f"use {known}")
    network = at.scene.network
    row = known_link(at.index.link_row, request.target_link_id.value)
    return SIM_API.StringList(values=[network.link_ids[link] for link in links_beside(network, row, side)])


def _get_vehicles(request: Any, at: Situation) -> Message:
    row = known_link(at.index.link_row, request.id.value)
    found = [
        {"id": {"value": at.names.text_of(actor)}, "object_type": _VEHICLE, "client_key": at.names.owner_of(actor)}
        for actor in vehicles_on_link(at.scene, at.now, row)
    ]
    return SIM_API.ObjectInfos(values=found)


PROCEDURES: dict[str, Procedure] = {
    "Map/GetMGeo": _get_files,
    "Map/GetNeighborLink": _get_neighbours,
    "Map/GetVehiclesOnLink": _get_vehicles,
}
"""By "Service/Name"."""
WITHOUT_EFFECT: dict[str, str] = {
    "Map/GetVehiclesOnLink.waypoint_idx": "the answer is about the whole link, whichever of its points is named"
}
"""What has no effect, by procedure and field, and why."""
