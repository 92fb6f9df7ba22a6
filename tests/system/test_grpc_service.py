"""gRPC beside runs, in the real program: where it is served, what banner and summary say of it, and TLS."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess

import grpc
import pytest

from tests.port import in_use_here
from tests.system.served_program import Program

KIA = "2015_Kia_K5"


def test_an_address_that_is_given_and_in_use_is_an_error(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        program = Program(tmp_path, address=f"127.0.0.1:{taken.getsockname()[1]}")
        _, told = program.end(ask=False)
    assert program.process.returncode == 2
    assert f"gRPC: {program.address}: {in_use_here()}; end that program, or move all ports" in told


def test_a_default_address_that_is_in_use_is_a_notice(tmp_path):
    from dorosim.app.run.session import RunContext
    from dorosim.app.serve.grpc_service import GrpcService
    from dorosim.app.serve.run_services import ServiceHost
    from dorosim.app.setting.settings import GrpcSettings, Settings
    from dorosim.endpoint.journal import Journal
    from dorosim.endpoint.loop.clock import PacedClock

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        text = f"127.0.0.1:{taken.getsockname()[1]}"
        context = RunContext(given=(), data=tmp_path, journal=Journal(print), clock=PacedClock(None))
        settings = Settings(grpc=GrpcSettings(address=text))
        service = GrpcService(settings, context, ServiceHost(settings, context))
        assert service.observers == ()
        cure = "end that program, or move all ports of this run with --ports auto, or give another address with --grpc"
        assert service.notices == (f"gRPC is not served: {text} {in_use_here()}; {cure}",)
        service.close()


def test_the_banner_says_where_and_the_summary_what(tmp_path):
    program = Program(tmp_path, "--record", str(tmp_path / "lap.rec"))
    client = program.client()
    client.ask("LoadMap", map_name="town", ego_name=KIA)
    client.ask("LoadMap", map_name="town", ego_name="2016_Hyundai_Ioniq")
    client.done("Simulation/SetSynchronousMode", type=2)
    client.ask("Simulation/Tick", value=100)
    assert client.done("Simulation/Start").description == "same map"
    client.close()
    printed, told = program.end()
    assert program.process.returncode == 0
    assert f"gRPC at {program.address}" in told
    assert "gRPC calls: 5 (MoraiService/LoadMap 2, " in printed
    ticks, seconds = re.match(r"(\d+) ticks, ([\d.]+) s simulated in .*, 1 reset\n", printed).groups()
    assert int(ticks) >= 100, "those before the reset count"
    assert float(seconds) >= 1.0
    assert sorted(path.name for path in tmp_path.glob("*.rec")) == ["lap-2.rec", "lap-3.rec", "lap.rec"]


def test_grpc_can_be_off(tmp_path):
    program = Program(tmp_path, "--duration", "0.3", address="off")
    printed, told = program.end(ask=False)
    assert program.process.returncode == 0
    assert "gRPC" not in printed + told


@pytest.mark.skipif(shutil.which("openssl") is None, reason="there is no openssl to make a certificate with")
def test_tls(tmp_path):
    certificate, key = tmp_path / "server.pem", tmp_path / "key.pem"
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"]
    made = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-nodes",
        *names,
        "-days",
        "2",
    ]
    subprocess.run([*made, "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
    settings = tmp_path / "dorosim.toml"
    settings.write_text(f'[grpc]\ncertificate = "{certificate}"\nkey = "{key}"\n')
    program = Program(tmp_path, "--config", str(settings))
    try:
        credentials = grpc.ssl_channel_credentials(certificate.read_bytes())
        program.wait()
        with grpc.secure_channel(program.address, credentials) as channel:
            grpc.channel_ready_future(channel).result(60.0)
            call = channel.unary_unary("/morai_sim_api.simualtor.Simulator/GetSimulatorVersion")
            assert b"dorosim" in call(b"", timeout=10.0)
    finally:
        _, told = program.end()
    assert "with TLS" in told
    settings.write_text(f'[grpc]\ncertificate = "{key}"\nkey = "{key}"\n')
    program = Program(tmp_path, "--config", str(settings))
    _, told = program.end(ask=False)
    assert program.process.returncode == 2
    assert "is not a valid certificate" in told
