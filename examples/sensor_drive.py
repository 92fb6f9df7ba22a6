"""The frame of a demo that drives by what a sensor sees, for camera_lane.py and lidar_stop.py.

It takes the options, finds the ports of the run, and brakes when the demo ends, whatever ends it.
"""

import argparse
from collections.abc import Callable
from typing import NamedTuple

from run_ports import add_run_option, control_port, run_event, sensor_port, sent_to, stop

from dorosim.client import ClientError, SensorReceiver, UdpPorts, UdpVehicle

Drive = Callable[[UdpVehicle, SensorReceiver, float, float], str]
"""Drives at most so fast [m/s] and so far [m] by what the receiver gets. Returns how it ended."""


class Demo(NamedTuple):
    """What one demo is.

    Attributes:
        about: its first line of help.
        kind: of the sensor by which it drives, in the settings. port: to which its packets usually come.
        metres, top: how far [m] and how fast [km/h] it drives at most, if no option says otherwise.
    """

    about: str
    kind: str
    port: int
    metres: float
    top: float


def play(demo: Demo, drive: Drive) -> None:
    """Play a demo as the command line says, and brake at its end, also at Ctrl-C."""
    parser = argparse.ArgumentParser(description=demo.about)
    parser.add_argument("--metres", type=float, default=demo.metres, help="how far at most")
    parser.add_argument("--top", type=float, default=demo.top, help="highest speed [km/h]")
    add_run_option(parser)
    parser.add_argument("--control-port", type=int, help="where commands go (9093)")
    options = parser.parse_args()
    event = run_event(options.run)
    ports = UdpPorts(
        control=options.control_port or control_port(event),
        status=sent_to(event, "EgoVehicleStatus", 909),
        objects=0,
        collisions=0,
        light=0,
    )
    port = sensor_port(event, demo.kind, demo.port)
    try:
        with UdpVehicle(ports=ports) as car, _receiver(demo, port) as sensors:
            try:
                print(drive(car, sensors, options.top / 3.6, options.metres))
            except KeyboardInterrupt:
                print("braking")
            finally:
                car.drive(brake=1.0)  # the command holds
    except ClientError as error:
        stop(str(error))


def _receiver(demo: Demo, port: int) -> SensorReceiver:
    """Takes the packets of its sensor at a port."""
    return SensorReceiver(camera=port) if demo.kind == "camera" else SensorReceiver(lidar=port)
