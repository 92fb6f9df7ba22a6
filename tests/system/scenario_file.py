"""A scenario of MORAI SIM with one of everything."""

from __future__ import annotations

EGO_POSE = {"pos": {"x": -200.0, "y": 76.0, "z": 4.0}, "rot": {"roll": "0", "pitch": "0", "yaw": "3.0"}, "gear": 4}


FILE = {
    "version": 1.0,
    "egoVehicle": {
        "DataID": 20100014, "UNIQUEID": -1, "initPosition": EGO_POSE, "currentVelocity": 36.0, "currentControlMode": 3,
    },
    "vehicleList": [
        {
            "DataID": 30100004, "UNIQUEID": 5, "initPosition": {"pos": {"x": -150.0, "y": 78.0, "z": 4.0}},
            "velocityType": 2, "desiredVelocity": 20.0,
        },
    ],
    "pedestrianList": [{"DataID": 50100001, "UNIQUEID": 6, "pos": {"x": 9.0, "y": 300.0}, "speed": 3.6}],
    "objectList": [{"DataID": 40100003, "UNIQUEID": 7, "pos": {"x": 0.0, "y": 300.0}}],
    "mapInfo": {"mapName": "town"},
}  # fmt: skip
