"""What a test has of the simulator: a client in lockstep, and the ego vehicle."""

from __future__ import annotations

from dorosim.client import Client, Moment, Run, State
from dorosim.testing.program import SimulatorProgram

PERIOD_S = 0.05
"""Simulated time of a step, unless a test says otherwise [s]."""


class Simulator:
    """A simulator in lockstep: simulated time goes on by `step` and `run_for` only.

    Args:
        program: runs it. client: connected to it, in synchronous mode. period: of a step [s].

    Attributes:
        client: all operations of the SDK. program, period: as given.
    """

    def __init__(self, program: SimulatorProgram, client: Client, period: float = PERIOD_S) -> None:
        self.program, self.client, self.period = program, client, period

    @property
    def run(self) -> Run:
        """Its id and addresses: `simulator.run.port(9093)` is the port in the place of 9093."""
        return self.program.run

    @property
    def environment(self) -> dict[str, str]:
        """Variables by which a stack finds it, as in `subprocess.Popen(stack, env=os.environ | town.environment)`."""
        return self.program.environment

    @property
    def time(self) -> float:
        """Simulated time since the test began [s]."""
        return self.client.time()

    def step(self, count: int = 1) -> Moment:
        """Let so many steps pass."""
        return self.client.tick(count)

    def run_for(self, seconds: float) -> Moment:
        """Let simulated time pass, rounded to whole steps, one at least."""
        return self.step(max(round(seconds / self.period), 1))


class Ego:
    """The first ego vehicle of a simulator, in gear D and driven by commands.

    Args:
        simulator: in which it is.
        name: under which it is known.
    """

    def __init__(self, simulator: Simulator, name: str = "Ego") -> None:
        self.simulator, self.name = simulator, name

    @property
    def client(self) -> Client:
        """All operations of the SDK."""
        return self.simulator.client

    @property
    def state(self) -> State:
        """Its present state."""
        return self.client.state(self.name)

    @property
    def speed(self) -> float:
        """Its present speed [m/s]."""
        return self.state.speed

    def drive(self, *, accelerator: float = 0.0, brake: float = 0.0, steer: float = 0.0) -> None:
        """Pedals, 0 to 1, and the angle of the front wheels [rad], left positive; they hold until the next call."""
        self.client.drive(self.name, accelerator=accelerator, brake=brake, steer=steer)

    def place(self, x: float, y: float, *, heading: float = 0.0, z: float = 0.0) -> None:
        """Put it somewhere on the map [m, rad]; it stands on the ground there."""
        self.client.place(self.name, (x, y, z), heading)

    def step(self, count: int = 1) -> State:
        """Let so many steps pass. Returns the state after them."""
        self.simulator.step(count)
        return self.state
