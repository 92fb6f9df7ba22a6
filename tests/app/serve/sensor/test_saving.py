"""Where a run of the program saves sensor data that a client asks for."""

from __future__ import annotations

import socket
import tempfile
from pathlib import Path

import pytest

from dorosim.app.setting.settings import SensorRow, Settings, UdpSettings
from tests.app.network import network_file
from tests.app.program import Program, until
from tests.packet import save_sensors
from tests.port import free_port


@pytest.fixture
def short():
    """A folder whose name leaves room in the 60 bytes that the message has for a path."""
    with tempfile.TemporaryDirectory(prefix="d") as folder:
        yield Path(folder)


@pytest.fixture
def program(tmp_path, short):
    """A run with an IMU, whose user allows the folder `mine`; where it listens; and that folder."""
    listen, mine = free_port(), short / "mine"
    made = Program(
        tmp_path,
        Settings(
            sensor=(SensorRow(kind="imu"),),
            sensor_data_folders=(str(mine),),
            udp=UdpSettings(network=str(network_file(tmp_path, listen, free_port()))),
        ),
    )
    made.start()
    yield made, listen, mine
    made.close()


def test_a_whole_path_works_where_the_user_allows_it_and_nowhere_else(program, short):
    running, listen, mine = program
    other = short / "other"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        for folder in (other, f"{mine}/../other", mine / "run"):
            client.sendto(save_sensors("scene", str(folder)), ("127.0.0.1", listen))
        until((mine / "run" / "scene_imu_1.json").is_file)
    assert not other.exists()
    assert [path.name for path in (running.data / "SensorData").iterdir()] == []
    until(lambda: any("sensor data saved" in line for line in running.told))
    assert sum("allow it by sensor_data_folders" in line for line in running.told) == 1, "a path that leads elsewhere"
    assert sum("leads out of the folder of sensor data" in line for line in running.told) == 1, "a path with .."
