"""The Python SDK: drive and read a running simulator.

    from dorosim.client import connect

    with connect("127.0.0.1:7789") as client:
        client.drive(accelerator=0.3)
        print(client.state().position)

Everything is in SI units: metres, seconds, radians, m/s; the map's x points east, y north, z up; yaw is 0 to the east
and counter-clockwise; steering is positive to the left. `Client` blocks, `AsyncClient` is awaited; both have the same
operations. Sensors are mounted by `add_camera`, `add_lidar` and the like, and read as numpy arrays. `UdpVehicle` and
`SensorReceiver` do the same over UDP.
"""

from __future__ import annotations

from dorosim.client.actor import Models, VehicleSpec, WalkPoint
from dorosim.client.awaiting import AsyncClient, connect_async
from dorosim.client.blocking import Client, connect
from dorosim.client.environment import Sky
from dorosim.client.error import ClientError, NoAnswerError, NoServerError, RefusedError
from dorosim.client.frame import Frame
from dorosim.client.reading import (
    CameraPicture,
    GpsFix,
    ImuSample,
    PlanarScan,
    PointCloud,
    RadarDetections,
    SeenBoxes,
    SeenObjects,
    SensorReading,
    UltrasonicEcho,
)
from dorosim.client.receiver import AsyncSensorReceiver, Boxes, Fix, Inertia, LidarPacket, Picture, SensorReceiver
from dorosim.client.road_map import RoadMap
from dorosim.client.run_file import Run, find_run, running
from dorosim.client.sensing import MountedSensor
from dorosim.client.sensor import AsyncCamera, AsyncLidar, AsyncSensor, Camera, Lidar, Sensor
from dorosim.client.sensor_setting import (
    CameraSettings,
    GpsSettings,
    GroundTruthSettings,
    ImuSettings,
    LidarSettings,
    PlanarLidarSettings,
    RadarSettings,
    UltrasonicSettings,
)
from dorosim.client.signal import Intersection, Light, TrafficLight
from dorosim.client.simulation import Moment
from dorosim.client.states import Progress, SeenObject, State, States
from dorosim.client.udp import AsyncUdpVehicle, UdpPorts, UdpVehicle

__all__ = [
    "AsyncCamera",
    "AsyncClient",
    "AsyncLidar",
    "AsyncSensor",
    "AsyncSensorReceiver",
    "AsyncUdpVehicle",
    "Boxes",
    "Camera",
    "CameraPicture",
    "CameraSettings",
    "Client",
    "ClientError",
    "Fix",
    "Frame",
    "GpsFix",
    "GpsSettings",
    "GroundTruthSettings",
    "ImuSample",
    "ImuSettings",
    "Inertia",
    "Intersection",
    "Lidar",
    "LidarPacket",
    "LidarSettings",
    "Light",
    "Models",
    "Moment",
    "MountedSensor",
    "NoAnswerError",
    "NoServerError",
    "Picture",
    "PlanarLidarSettings",
    "PlanarScan",
    "PointCloud",
    "Progress",
    "RadarDetections",
    "RadarSettings",
    "RefusedError",
    "RoadMap",
    "Run",
    "SeenBoxes",
    "SeenObject",
    "SeenObjects",
    "Sensor",
    "SensorReading",
    "SensorReceiver",
    "Sky",
    "State",
    "States",
    "TrafficLight",
    "UdpPorts",
    "UdpVehicle",
    "UltrasonicEcho",
    "UltrasonicSettings",
    "VehicleSpec",
    "WalkPoint",
    "connect",
    "connect_async",
    "find_run",
    "running",
]
