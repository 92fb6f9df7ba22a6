"""The camera of a project sends JPEG by its template, where MORAI SIM 2's lane follow example waits for it."""

from __future__ import annotations

import io
import socket
import struct

import pytest
from PIL import Image

from tests.app.serve.suite_file import write_suite
from tests.app.serve.tcp_step_program import served
from tests.port import free_port
from tests.system.step_client import LOAD_SUITE, PLAY, SCENARIO_CONTROL, SET_TIME, text


@pytest.fixture
def pictures():
    """Where a program of the user waits for pictures."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.bind(("127.0.0.1", 0))
        sock.settimeout(180.0)
        yield sock


def test_a_picture_comes_as_a_jpeg_behind_its_size(tmp_path, pictures):
    port = pictures.getsockname()[1]
    with served(tmp_path) as program:
        write_suite(program.program.data / "Scenario", info=free_port(), control=free_port(), picture=port)
        with program.client() as client:
            client.done(SET_TIME, struct.pack("<iff", 3, 20.0, 1.0))
            client.done(LOAD_SUITE, text("My suite"))
            client.done(SCENARIO_CONTROL, struct.pack("<I", PLAY) + text(""))
            for _ in range(3):
                client.step()
            data = pictures.recv(65_536)
        (size,) = struct.unpack_from("<i", data)
        assert len(data) == 4 + size
        picture = Image.open(io.BytesIO(data[4:]))
        assert (picture.format, picture.size) == ("JPEG", (64, 48))
        assert not any("Cam" in line and "not used" in line for line in program.told)


def test_where_pictures_go_no_control_is_taken(tmp_path):
    """The lane follow project sends its pictures to 9090, where manual control comes by default."""
    port = free_port()
    with served(tmp_path, control=(f"127.0.0.1:{port}",)) as program:
        suite = write_suite(program.program.data / "Scenario", info=free_port(), picture=port)
        (suite.parent / "One" / "Control.json").write_text("{}")
        with program.client() as client:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock, pytest.raises(OSError, match="in use"):
                sock.bind(("127.0.0.1", port))
            client.done(LOAD_SUITE, text("My suite"))
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
                sock.bind(("127.0.0.1", port))
