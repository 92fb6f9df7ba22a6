"""Datagrams of the fixed step beside those of the older interface, and in a layout of the user's."""

from __future__ import annotations

import struct

from tests.app.serve.tcp_step_program import served
from tests.port import free_port


def test_datagrams_of_the_older_interface_keep_clear_of_these(tmp_path):
    port = free_port()
    network = f'listen = []\n[[send]]\nmessage = "EgoVehicleStatus"\nto = "127.0.0.1:{port}"\n'
    with served(tmp_path, network=network, vehicle_info=(f"127.0.0.1:{port}",)) as program:
        assert not program.program.current.session.endpoint.publications
        assert any("EgoVehicleStatus is not sent" in line for line in program.program.current.session.notices)


def test_a_layout_of_a_file_is_that_of_vehicle_info(tmp_path):
    path = tmp_path / "mine.tmpl"
    path.write_text(
        '{"messageTemplate": {"name": "mine", "segmentList": [{"type": "FIELDS", "fieldList": ['
        '{"variableName": "id", "variableType": "STRING", "length": 8},'
        '{"variableName": "ground_vehicle_attributes.wheel_count", "variableType": "INT32"}]}]}}'
    )
    with served(tmp_path, template=str(path)) as program, program.client(info=True) as one:
        assert struct.unpack("<8si", one.info.recv(100)) == (b"Car_1".ljust(8, b"\0"), 4)
