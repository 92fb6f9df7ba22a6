"""Clients that fall silent, over each interface of the real program; what it does then is in the recording."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable
from pathlib import Path

from websockets.sync.client import connect

from dorosim.endpoint.loop.drive_watchdog import BRAKING
from dorosim.recording.format import decode_recording
from dorosim.world.vehicle.command import DriveVehicle
from tests.app.command import dorosim
from tests.packet import control
from tests.port import free_port
from tests.system.served_program import Program
from tests.timing import wait_for

COMMANDS, PERIOD_S = 15, 0.04


def drive(send: Callable[[], object]) -> None:
    """Send commands all the time, and fall silent."""
    for _ in range(COMMANDS):
        send()
        time.sleep(PERIOD_S)


def stands(program: Program) -> bool:
    """Whether the ego vehicle is in one place for 0.3 s."""
    _, x, y = program.ego()
    time.sleep(0.3)
    return program.ego()[1:] == (x, y)


def has_gone(program: Program, before: tuple[float, float, float]) -> bool:
    """Whether the ego vehicle is elsewhere than it was."""
    return program.ego()[1:] != before[1:]


def test_each_interface_brakes_and_the_recording_replays(tmp_path: Path) -> None:
    settings, recording, bridge = tmp_path / "dorosim.toml", tmp_path / "run.rec", free_port()
    settings.write_text("".join(f'[{interface}]\nwatchdog = "brake"\n' for interface in ("udp", "grpc", "ros")))
    more = ("--config", str(settings), "--record", str(recording), "--ros-server", f"127.0.0.1:{bridge}")
    program = Program(tmp_path, *more, "--no-view")
    try:
        client, before = program.client(), program.ego()
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as driver:
            drive(lambda: driver.sendto(control(accel=0.3), ("127.0.0.1", program.listen)))
        wait_for(lambda: has_gone(program, before))
        wait_for(lambda: stands(program))
        before = program.ego()
        drive(lambda: client.ask("SetEgoCtrlCmd", longCmdType=1, accel=0.3))
        wait_for(lambda: has_gone(program, before))
        wait_for(lambda: stands(program))
        before = program.ego()
        with connect(f"ws://127.0.0.1:{bridge}") as peer:
            topic = {"topic": "/ctrl_cmd", "type": "morai_msgs/CtrlCmd"}
            peer.send(json.dumps({"op": "advertise", **topic}))
            order = {"longlCmdType": 1, "accel": 0.3, "brake": 0.0, "steering": 0.0}
            drive(lambda: peer.send(json.dumps({"op": "publish", **topic, "msg": order})))
        wait_for(lambda: has_gone(program, before))
        wait_for(lambda: stands(program))
        client.close()
    finally:
        _, told = program.end()
    assert [line.partition(": ")[2] for line in told.splitlines() if "watchdog" in line] == [
        f"Ego: no command over {interface} for 1 s; it is braked, until the next one comes"
        for interface in ("UDP", "gRPC", "ROS")
    ]
    _, ticks = decode_recording("run.rec", recording.read_bytes())
    commands = [command for tick in ticks for command in tick.commands if isinstance(command, DriveVehicle)]
    assert [one.acceleration for one in commands].count(-BRAKING) == 3
    assert "bit for bit" in dorosim("replay", recording).stdout
