"""The settings say by which limits a speed is reached that UDP and ROS ask for."""

from __future__ import annotations

import socket

import pytest

from dorosim.app.serve.ros.service import RosService
from dorosim.app.setting.settings import GrpcSettings, RosSettings, Settings, UdpSettings
from dorosim.world.vehicle.mode import ControlKind
from tests import packet
from tests.app.network import network_file
from tests.app.program import Program, until
from tests.port import free_port


@pytest.mark.parametrize(
    ("udp", "ros", "expected"),
    [
        ("document", None, (ControlKind.VELOCITY, False)),
        ("vehicle", None, (ControlKind.VELOCITY_BY_ABILITY, True)),
        ("document", "vehicle", (ControlKind.VELOCITY, True)),
        ("vehicle", "document", (ControlKind.VELOCITY_BY_ABILITY, False)),
    ],
)
def test_each_interface_goes_by_its_own_setting_and_ros_by_that_of_udp_where_it_has_none(tmp_path, udp, ros, expected):
    port = free_port()
    settings = Settings(
        udp=UdpSettings(network=str(network_file(tmp_path, port, free_port())), speed_control=udp),
        ros=RosSettings(server=f"127.0.0.1:{free_port()}", speed_control=ros),
        grpc=GrpcSettings(enabled=False),
    )
    program = Program(tmp_path, settings)
    service = program.add(RosService)
    program.start()
    try:
        until(lambda: service._hub is not None and service._hub._place is not None)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as driver:

            def is_driven() -> bool:
                driver.sendto(packet.control(velocity_kmh=36.0, kind=2), ("127.0.0.1", port))
                return program.now.vehicle.target_velocity[0] == 10.0

            until(is_driven, 120.0)
        by_ability = service._hub.place.situate("").form.by_ability
        assert (ControlKind(int(program.now.vehicle.control_kind[0])), by_ability) == expected
    finally:
        program.close()
