"""What lets simulated time pass: the clock, or steps of clients (synchronous mode)."""

from __future__ import annotations

from dorosim.app.run.switch import RunSwitch
from dorosim.endpoint.loop.loop import Loop
from dorosim.ground.error import InputError

FRAME = 20_000_000
"""Simulated time of one step unless a client gives another one [ns] (facts/ros-grpc-mgeo.md, 2.3)."""
MAX_FRAME_NS = 10_000_000_000


class HostPace:
    """The gate of the present run; see `dorosim.bridge.host.Pace`. The mode outlives a run.

    Args:
        switch: knows the present run.
        step_timeout: wall time that a client may let the others wait [s].

    Attributes:
        synchronous: whether clients step the run. frame: simulated time of one step of synchronous mode [ns].
    """

    def __init__(self, switch: RunSwitch, step_timeout: float) -> None:
        self._switch = switch
        self._step_timeout = step_timeout
        self.frame = FRAME
        self.synchronous = False
        self._mode = 0

    @property
    def mode(self) -> int:
        """Number of the present synchronous mode, another one each time it begins; 0 while time passes by the clock."""
        return self._mode if self.synchronous else 0

    @property
    def clients(self) -> tuple[str, ...]:
        """Names of the clients that step the run, in the order in which they came."""
        return self._switch.current.loop.gate.clients if self.synchronous else ()

    @property
    def speed(self) -> float | None:
        """Simulated over wall time while time passes by the clock; None: as fast as possible."""
        return self._switch.current.loop.clock.factor

    def run_at(self, speed: float) -> None:
        """Let time pass by the clock at another speed from now on, simulated over wall time."""
        self._switch.current.loop.clock.change(speed)

    def check(self, frame: int, tick: int) -> None:
        """Refuse a frame that is no multiple of the tick.

        Raises:
            InputError: it is none.
        """
        if not 0 < frame <= MAX_FRAME_NS or frame % tick:
            problem = f"a frame of {frame / 1e6:g} ms must be a multiple of the tick of {tick / 1e6:g} ms"
            raise InputError("synchronous mode", "", problem, "give another one, or set tick_ms in the settings")

    def synchronise(self, frame: int) -> None:
        """Begin synchronous mode, or change its frame [ns].

        Raises:
            InputError: the frame is no multiple of the tick.
        """
        current = self._switch.current
        self.check(frame, current.loop.scene.tick)
        if not current.loop.gate.holds:
            # between two ticks, so that neither the time nor the stamps of a tick are of both ways
            current.gateway.between_ticks(lambda _: current.loop.hold())
        self._become(frame)

    def release(self) -> None:
        """End synchronous mode: time passes by the clock."""
        self.synchronous = False
        self._switch.current.loop.gate.open()

    def order(self, frame: int | None) -> None:
        """Set how the next run is paced, before it begins; as `frame` of a StartOrder."""
        if frame is not None:
            self._become(frame)

    def _become(self, frame: int) -> None:
        """Be synchronous with a frame [ns], or not with 0; a mode that begins has a number of its own."""
        self._mode += frame > 0 and not self.synchronous
        self.synchronous = frame > 0
        self.frame = frame or self.frame

    def begin(self, loop: Loop) -> None:
        """A run begins."""
        loop.gate.step_timeout = self._step_timeout
        if self.synchronous:
            loop.gate.close(loop.now.time)
        elif loop.gate.holds:
            loop.gate.open()

    def step(self, client: str, frames: int, patience: float) -> int | None:
        """Let some frames pass, and wait until they have. Returns simulated time then [ns], None if they have not."""
        return self._switch.current.loop.gate.step(client, frames * self.frame, patience)

    def wait(self, patience: float) -> int | None:
        """Wait until time has gone on by a client's step. Returns simulated time then [ns], None if it has not."""
        return self._switch.current.loop.gate.wait(patience)

    def leave(self, client: str) -> None:
        """A client steps no longer."""
        self._switch.current.loop.gate.leave(client)
