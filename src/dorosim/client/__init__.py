"""The Python SDK: drive and read a running simulator.

    from dorosim.client import connect

    with connect("127.0.0.1:7789") as client:
        client.drive(accelerator=0.3)
        print(client.state().position)

Everything is in SI units: metres, seconds, radians, m/s; the map's x points east, y north, z up; yaw is 0 to the east
and counter-clockwise; steering is positive to the left. `Client` blocks, `AsyncClient` is awaited; both have the same
operations. `UdpVehicle` and `SensorReceiver` do the same over UDP.
"""

from __future__ import annotations

from dorosim.client.actor import Models, VehicleSpec, WalkPoint
from dorosim.client.awaiting import AsyncClient, connect_async
from dorosim.client.blocking import Client, connect
from dorosim.client.error import ClientError, NoAnswerError, NoServerError, RefusedError
from dorosim.client.receiver import AsyncSensorReceiver, Boxes, Fix, Inertia, LidarPacket, Picture, SensorReceiver
from dorosim.client.sensing import MountedSensor
from dorosim.client.signal import Intersection, Light, TrafficLight
from dorosim.client.simulation import Moment
from dorosim.client.states import Progress, SeenObject, State, States
from dorosim.client.udp import AsyncUdpVehicle, UdpPorts, UdpVehicle

__all__ = [
    "AsyncClient",
    "AsyncSensorReceiver",
    "AsyncUdpVehicle",
    "Boxes",
    "Client",
    "ClientError",
    "Fix",
    "Inertia",
    "Intersection",
    "LidarPacket",
    "Light",
    "Models",
    "Moment",
    "MountedSensor",
    "NoAnswerError",
    "NoServerError",
    "Picture",
    "Progress",
    "RefusedError",
    "SeenObject",
    "SensorReceiver",
    "State",
    "States",
    "TrafficLight",
    "UdpPorts",
    "UdpVehicle",
    "VehicleSpec",
    "WalkPoint",
    "connect",
    "connect_async",
]
