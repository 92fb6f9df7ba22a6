"""Fields of answers that hold the same whatever happens, and why: a client learns nothing from them.

Keys are those of the tables WITHOUT_EFFECT: a field by its message, or by its procedure. What a whole procedure that
only answers holds is said where that procedure is listed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from dorosim.wire.grpc.descriptor import Api

_LIST = "the document's table of it begins with No 2; only lists of MultiEgo vehicles repeat the name of the request"
_NAME = "the name of what a procedure made or looked up; of all others there is none"
_WHOLE = "0: a way takes its links whole"
_NO_REFUSAL = "it cannot be refused, and there is nothing to say of it"
_BOX = "the box lies along the axes of its body, and in its middle"


def _sure(names: Iterable[str], *fields: str) -> dict[str, str]:
    return {f"{name}.{field}": _NO_REFUSAL for name in names for field in fields}


CONSTANT: Mapping[Api, Mapping[str, str]] = MappingProxyType(
    {
        "documented": {
            "ActorResponseList.service_name": _LIST,
            "GetToLinks.res_list.index": "0: a link that follows begins with its first point",
            "VehicleAuxStateInfo.global_path.index": _WHOLE,
            "SetEgoCtrlCmd.service_name": "the name of the command",
            "SendDeleteMultiEgoVehicle.service_name": "the name of the command",
            "EgoState.unique_id": "the id of the ego vehicle, which is always Ego",
            "MultiEgoStateList.service_name": "the name of the states",
            **_sure(("Pause", "Resume"), "success", "description"),
        },
        "standard": {
            "Result.custom_message": _NAME,
            "BoundingBox.location.y": _BOX,
            "BoundingBox.rotation": _BOX,
            "DynamicsLevel.level": "every vehicle has one level of dynamics",
            "DynamicsLevel.npc": "every NPC vehicle moves along lanes",
            "Map/GetVehiclesOnLink.values.object_type": "it lists vehicles only",
            "SensorInfo.vehicle_info.object_type": "sensors are on vehicles only",
            "Sensor/GetSensorData.sensor_info.sensor_type": "data of ground truth sensors only have a message",
            "Actor/DestroyAllActors.status": "success: the description says so where a client owns nothing",
            **_sure(
                (
                    "Environment/SetWeather",
                    "Environment/SetSeason",
                    "Environment/SetVisibility",
                    "Simulation/Pause",
                    "Simulation/Resume",
                    "Simulation/SendMessage",
                ),
                "status",
                "description",
            ),
            **_sure(("Simulation/SetSimulationMode", "Simulator/SetRenderingMode"), "status"),
            "Simulation/SetSimulationMode.description": "that dorosim runs one way for all purposes",
            "Simulator/SetRenderingMode.description": "that dorosim has no window",
        },
    }
)
"""By API."""
