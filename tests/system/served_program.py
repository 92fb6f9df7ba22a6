"""The real program with gRPC, and clients of it."""

from __future__ import annotations

import os
import signal
import socket
import struct
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
from google.protobuf.json_format import ParseDict

from tests.bridge.grpc.stage import method_named
from tests.loaded import COMMAND, loaded_command
from tests.port import free_port


class Program:
    """A simulator in a process of its own.

    Args:
        folder: of its files. arguments: of the command. address: of gRPC.
        loaded: whether it is forked by a process that has loaded everything (`tests/loaded.py`).

    Attributes:
        process: it, or the one that stands for it. data: its data folder. listen: port for datagrams. address: of gRPC.
    """

    def __init__(self, folder: Path, *arguments: str, address: str | None = None, loaded: bool = True) -> None:
        self.data = folder / "data"
        self.data.mkdir(exist_ok=True)
        self.status = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.status.bind(("127.0.0.1", 0))
        self.status.settimeout(60.0)
        self.listen = free_port()
        network = folder / "net.toml"
        to = self.status.getsockname()[1]
        network.write_text(
            f'[[listen]]\naddress = "127.0.0.1:{self.listen}"\n\n'
            f'[[send]]\nmessage = "EgoVehicleStatus"\nto = "127.0.0.1:{to}"\n'
        )
        self.address = address or f"127.0.0.1:{free_port()}"
        command = loaded_command() if loaded else COMMAND
        self.process = subprocess.Popen(
            [*command, "run", "--network", network, "--data", self.data, "--grpc", self.address, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"COLUMNS": "200", "NO_COLOR": "1"},
        )

    def client(self) -> Client:
        """A client that is connected."""
        self.wait()
        made = Client(self.address)
        grpc.channel_ready_future(made.channel).result(60.0)
        return made

    def wait(self) -> None:
        """Wait until it listens; a channel that is there before tries again later and later."""
        host, _, port = self.address.rpartition(":")
        deadline = time.monotonic() + 240.0
        while time.monotonic() < deadline and self.process.poll() is None:
            with socket.socket() as tried:
                if tried.connect_ex((host, int(port))) == 0:
                    return
            time.sleep(0.01)

    def ego(self) -> tuple[float, float, float]:
        """Time [s] and place [m] of the ego vehicle in the newest status datagram."""
        self.status.setblocking(False)
        try:
            while True:
                self.status.recv(1000)
        except BlockingIOError:
            pass
        self.status.settimeout(60.0)
        data = self.status.recv(1000)
        seconds, nanoseconds = struct.unpack_from("<2i", data, 27)
        x, y = struct.unpack_from("<2f", data, 77)
        return seconds + nanoseconds * 1e-9, x, y

    def end(self, *, ask: bool = True) -> tuple[str, str]:
        """Ctrl-C, if it is asked to end; what it printed, and what it told."""
        if ask and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            return self.process.communicate(timeout=60)
        finally:
            self.process.kill()
            self.status.close()


class Client:
    """A client that knows nothing of dorosim's classes."""

    def __init__(self, address: str) -> None:
        # else the channels of this process share a connection, and are one client
        self.channel = grpc.insecure_channel(address, [("grpc.use_local_subchannel_pool", 1)])

    def ask(self, name: str, /, timeout: float = 60.0, **fields: Any) -> Any:
        """Call a procedure, by its name in the documented API or as "Service/Name" of the Standard API."""
        method = method_named(name)
        call = self.channel.unary_unary(method.path, method.request.SerializeToString, method.response.FromString)
        return call(ParseDict(fields, method.request()), timeout=timeout)

    def done(self, name: str, /, **fields: Any) -> Any:
        """The same, of the Standard API; it must succeed."""
        answer = self.ask(name, **fields)
        assert answer.status == 1, answer.description
        return answer

    def close(self) -> None:
        """Go away."""
        self.channel.close()


@contextmanager
def served(folder: Path, *arguments: str) -> Iterator[tuple[Program, Client]]:
    """A program and a client of it."""
    program = Program(folder, *arguments)
    try:
        client = program.client()
        yield program, client
        client.close()
    finally:
        program.end()
