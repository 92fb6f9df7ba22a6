"""A program of one process with the fixed step over TCP, and clients of it."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from dorosim.app.serve.tcp_step.service import TcpStepService
from dorosim.app.setting.settings import Settings, UdpSettings
from dorosim.app.setting.step import TcpStepSettings
from tests.app.program import Program, until
from tests.port import free_port
from tests.system.step_client import GET_TIME, SET_TIME, StepClient

QUIET = "listen = []\nsend = []\n"
"""Network settings of a run that has no other datagrams."""


class StepProgram:
    """A run of the town.

    Attributes:
        program: of the test. service: the interface. info, collision, control: ports of its datagrams.
    """

    def __init__(self, folder: Path, network: str = QUIET, **settings) -> None:
        (folder / "net.toml").write_text(network)
        self.info, self.collision, self.control = (free_port() for _ in range(3))
        asked = {
            "vehicle_info": (f"127.0.0.1:{self.info}",),
            "collision": f"127.0.0.1:{self.collision}",
            "control": (f"127.0.0.1:{self.control}",),
        }
        step = TcpStepSettings(enabled=True, address="127.0.0.1:0", **{**asked, **settings})
        chosen = Settings(udp=UdpSettings(network=str(folder / "net.toml")), tcp_step=step)
        self.program = Program(folder, chosen)
        self.service = self.program.add(TcpStepService)

    @property
    def port(self) -> int:
        return int(self.service.addresses["tcp_step"].rpartition(":")[2])

    @property
    def now(self):
        return self.program.now

    @property
    def told(self) -> list[str]:
        return self.program.told

    def client(self, *, info: bool = False) -> StepClient:
        return StepClient(self.port, self.info if info else 0)


@contextmanager
def served(folder: Path, **settings) -> Iterator[StepProgram]:
    made = StepProgram(folder, **settings)
    try:
        made.program.start()
        yield made
    finally:
        made.program.close()


@contextmanager
def connecting(program: StepProgram) -> Iterator[Callable[[], StepClient]]:
    """What makes clients; afterwards all are closed, and time passes by itself."""
    with ExitStack() as stack:
        yield lambda: stack.enter_context(program.client())
    with program.client() as last:
        last.done(SET_TIME, struct.pack("<iff", 1, 0.0, 4.0))
    until(lambda: not program.service._server.clients)


def step_mode(client: StepClient, milliseconds: float = 10.0) -> None:
    """Let clients step the run from its start on: a run that has begun again is the same each time."""
    client.done(SET_TIME, struct.pack("<iff", 3, milliseconds, 1.0))
    name = b"town"
    client.done(0x1004, struct.pack("<I", len(name)) + name)


def time_of(client: StepClient) -> tuple[int, float, int, float]:
    """Mode, time of a step [ms], index of the step, time [s], in the first form."""
    rest = client.done(GET_TIME)
    assert len(rest) == 32
    mode, delta, _, index, seconds, nanos = struct.unpack("<IffQqi", rest)
    return mode, delta, index, seconds + nanos * 1e-9
