"""The service Simulator: version, time, maps, objects, data folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dorosim.bridge.grpc.call import Procedure, Situation
from dorosim.bridge.grpc.standard.result import success
from dorosim.wire.grpc.descriptor import message_class

if TYPE_CHECKING:
    from google.protobuf.message import Message

Empty = message_class("morai_sim_api.Empty")
StringValue = message_class("morai_sim_api.StringValue")
StringList = message_class("morai_sim_api.StringList")
Int64Value = message_class("morai_sim_api.Int64Value")
NOTHING_DRAWN = "dorosim has no window: nothing is drawn, whatever is set"
WITHOUT_EFFECT: dict[str, str] = {
    "RenderingMode.enable": NOTHING_DRAWN,
    "RenderingMode.size": NOTHING_DRAWN,
    "WindowSize.width": NOTHING_DRAWN,
    "WindowSize.height": NOTHING_DRAWN,
}
"""Fields that have no meaning here, and why."""


def _version(_: Any, at: Situation) -> Message:
    return StringValue(value=f"dorosim {at.host.runs.version}")


def _timestamp(_: Any, at: Situation) -> Message:
    return Int64Value(value=(at.host.runs.epoch + at.now.time) // 1_000_000)


def _maps(_: Any, at: Situation) -> Message:
    return StringList(values=at.host.files.maps())


def _data_path(_: Any, at: Situation) -> Message:
    return StringValue(value=at.host.files.place)


def _rendering(_: Any, __: Situation) -> Message:
    return success(NOTHING_DRAWN)


def _latency(_: Any, __: Situation) -> Message:
    return Empty()


SIMULATOR: dict[str, Procedure] = {
    "Simulator/GetSimulatorVersion": _version,
    "Simulator/GetTimestamp": _timestamp,
    "Simulator/GetAvailableMaps": _maps,
    "Simulator/GetDataPath": _data_path,
    "Simulator/SetRenderingMode": _rendering,
    "Simulator/CheckLatency": _latency,
}
"""By "Service/Name"."""
