"""A run that TCP steps is the run that gRPC steps."""

from __future__ import annotations

import math
from contextlib import ExitStack
from itertools import pairwise

import grpc
import numpy as np

from dorosim.app.serve.grpc_service import GrpcService
from dorosim.app.serve.tcp_step.service import TcpStepService
from dorosim.app.setting.settings import GrpcSettings, Settings, TrafficSettings, UdpSettings
from dorosim.app.setting.step import TcpStepSettings
from tests.app.program import Program
from tests.app.serve.tcp_step_program import QUIET, step_mode
from tests.port import free_port
from tests.system.served_program import Client
from tests.system.step_client import MANUAL, StepClient, manual

STEPS = 1000


def settings_of(folder) -> Settings:
    (folder / "net.toml").write_text(QUIET)
    return Settings(
        udp=UdpSettings(network=str(folder / "net.toml")),
        grpc=GrpcSettings(address=f"127.0.0.1:{free_port()}"),
        tcp_step=TcpStepSettings(
            enabled=True, address="127.0.0.1:0", vehicle_info=(f"127.0.0.1:{free_port()}",), collision="", control=()
        ),
        traffic=TrafficSettings(vehicles=20, pedestrians=5),
    )


def controls(max_steer: float) -> list[tuple[float, float, float, float]]:
    """Throttle, brake, steer as TCP has it and as gRPC has it [rad]: the same number inside, for gRPC has float32."""
    found = []
    for number in range(STEPS):
        throttle, brake = (number % 7) / 16.0, 0.25 * (number % 97 == 0)
        angle = float(np.float32(0.2 * math.sin(0.01 * number)))
        share = angle / max_steer
        near = (share, math.nextafter(share, 2.0), math.nextafter(share, -2.0))
        exact = next((one for one in near if one * max_steer == angle), 0.0)
        found.append((throttle, brake, exact, angle if exact else 0.0))
    return found


def test_a_thousand_steps_by_tcp_and_by_grpc_are_the_same_run(tmp_path):
    first, second = tmp_path / "tcp", tmp_path / "grpc"
    digests: dict[str, list[bytes]] = {"tcp": [], "grpc": []}
    first.mkdir()
    second.mkdir()
    by_tcp = Program(first, settings_of(first))
    service = by_tcp.add(TcpStepService)
    by_grpc = Program(second, settings_of(second))
    by_grpc.add(GrpcService)
    with ExitStack() as stack:
        stack.callback(by_tcp.close)
        stack.callback(by_grpc.close)
        by_tcp.start()
        client = stack.enter_context(StepClient(int(service.addresses["tcp_step"].rpartition(":")[2])))
        step_mode(client, 20.0)
        steers = controls(float(by_tcp.now.parameter.max_steer[0]))
        assert sum(1 for _, _, share, _ in steers if share) > STEPS / 2
        for throttle, brake, share, _ in steers:
            client.done(MANUAL, manual(throttle, brake, share))
            client.step()
            digests["tcp"].append(by_tcp.now.digest())

        by_grpc.start()
        other = Client(by_grpc.settings.grpc.address)
        stack.callback(other.close)
        grpc.channel_ready_future(other.channel).result(30.0)
        other.done("Simulation/SetSynchronousMode", type=2, tick_period=20)
        assert other.done("Simulation/Start").description == "same map"
        for throttle, brake, _, angle in steers:
            ego = {"id": {"value": "Ego"}, "object_type": 1}
            other.done(
                "Actor/ControlVehicle", actor_info=ego, long_cmd_type=1, throttle=throttle, brake=brake, steer=angle
            )
            other.ask("Simulation/Tick", value=1)
            digests["grpc"].append(by_grpc.now.digest())
    assert digests["tcp"] == digests["grpc"]
    assert len(set(digests["tcp"])) == STEPS
    assert all(a != b for a, b in pairwise(digests["tcp"]))
