"""The gate of synchronous mode: simulated time goes on as far as every client that steps the run has let it.

A client that has stepped once belongs to the gate. Time passes up to the least of what all of them allow, so none is
left behind. The gate leaves out one that makes the others wait longer than `step_timeout`, until it steps again.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

STEP_TIMEOUT_S = 10.0
"""Wall time that a client may let the others wait [s]."""
MAX_LEFT_OUT = 100
"""How many names of clients that the gate left out are remembered."""


@dataclass(slots=True)
class _Client:
    """What a client allows.

    Attributes:
        until: simulated time [ns].
        since: moment at which time came up against that [s on the monotonic clock]; None while it has not.
    """

    until: int
    since: float | None = None


_Awaited = tuple[int, Callable[[int | None], None]]
"""A step whose client is answered when it has passed: simulated time [ns], and what is called with the time, or with
None; see `Gate.allow`."""


class Gate:
    """Lets simulated time pass, or holds it.

    Args:
        step_timeout: wall time that a client may let the others wait [s].
        wake: is called when time may pass after it could not.
        clock: the wall clock [s].

    Attributes:
        step_timeout: as given.
        left_out: the last clients that were left out for being late, in order.
        last: the client that stepped last in the present mode, "" for none.
    """

    def __init__(
        self,
        step_timeout: float = STEP_TIMEOUT_S,
        wake: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.left_out: list[str] = []
        self.last = ""
        self.wake = wake
        self.step_timeout = step_timeout
        self._clock = clock
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._waiting = 0  # calls of `step` and `wait` that go on
        self._clients: dict[str, _Client] = {}
        self._awaited: dict[str, _Awaited] = {}
        self._closed = False
        self._ended = False
        self._now = 0

    @property
    def holds(self) -> bool:
        """Whether the run is in synchronous mode."""
        return self._closed

    @property
    def clients(self) -> tuple[str, ...]:
        """Names of the clients that step the run, in the order in which they came."""
        with self._changed:
            return tuple(self._clients)

    def waited_for(self, until: int) -> tuple[str, ...]:
        """Names of the clients that do not let time go on to `until` [ns], in the order in which they came."""
        with self._changed:
            return tuple(name for name, client in self._clients.items() if client.until < until)

    def close(self, now: int) -> None:
        """Begin synchronous mode at a simulated time [ns]; no client has let time pass yet.

        Where the mode is on already, its clients stay, unless time goes back: what they allowed was of the run before
        its reset.
        """
        with self._changed:
            if not self._closed or now < self._now:
                self._clients.clear()
                self.last = ""
            self._closed, self._now = True, now

    def open(self) -> None:
        """End synchronous mode: time passes by the clock, and calls of `step` that wait return."""
        with self._changed:
            self._closed = False
            self._clients.clear()
            self._changed.notify_all()
        self._answer()
        self.wake()

    def end(self) -> None:
        """End the run: calls of `step` and `wait` return."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()
        self._answer()

    def may_pass(self, until: int) -> bool:
        """Whether time may go on to `until` [ns]. The loop asks; clients that are too late are left out."""
        if not self._closed:
            return True
        with self._lock:
            if len(self._clients) == 1:  # as in most runs; nobody waits for it
                (client,) = self._clients.values()
                if client.until < until and client.since is None:
                    client.since = self._clock()
                return client.until >= until
            late = [name for name, client in self._clients.items() if client.until < until]
            if not late:
                return bool(self._clients)
            count = len(self._clients)
            self._leave_out(late)
            may = len(self._clients) == count - len(late)
        if len(self._clients) != count:
            self._answer()
        return may

    def _leave_out(self, late: list[str]) -> None:
        """Leave out those that are late and that the others wait for too long; where all are late, none is."""
        moment = self._clock()
        for name in late:
            client = self._clients[name]
            if client.since is None:
                client.since = moment
        if len(late) == len(self._clients):
            return
        for name in late:
            since = self._clients[name].since
            if since is not None and moment - since > self.step_timeout:
                del self._clients[name]
                self.left_out.append(name)
                del self.left_out[:-MAX_LEFT_OUT]

    def passed(self, now: int) -> None:
        """Note that simulated time is `now` [ns], and wake the calls that wait for it."""
        with self._lock:
            if now < self._now:  # the run was reset
                self._clients.clear()
            if now != self._now:
                self._now = now
                if self._waiting:
                    self._changed.notify_all()
        if self._awaited:
            self._answer()

    def allow(self, client: str, span: int, done: Callable[[int | None], None]) -> None:
        """Let time pass by a span, and go on; for the thread of the loop, which is not to be woken.

        Args:
            client: name of the client that steps. It makes one step at a time.
            span: [ns].
            done: is called once: with the simulated time when the span has passed [ns], with None where that will not
                be, as of `step`. It is called on the thread of the loop, or on that which ends the mode or the run.
        """
        with self._lock:
            if self._closed and not self._ended:
                until = self._now + span
                known = self._clients.get(client)
                if known is None:
                    self._clients[client] = _Client(until)
                else:
                    known.until, known.since = until, None
                self._awaited[client] = until, done
                self.last = client
                return
        done(None)

    def take(self, client: str, span: int) -> bool:
        """Let time pass by a span if only this client steps the run; for the thread of the loop, which makes the tick.

        Args:
            client: name of the client.
            span: [ns].

        Returns:
            Whether time may pass; False: see `allow`.
        """
        with self._lock:
            if not self._closed or self._ended or self._awaited:
                return False
            known = self._clients.get(client)
            if known is None or len(self._clients) != 1:
                return False
            known.until, known.since = self._now + span, None
            self.last = client
            return True

    def go_on(self, client: str, span: int, go: Callable[[], None]) -> bool:
        """As `take`, of a tick that has been made: time passes by it.

        Args:
            client: name of the client.
            span: [ns].
            go: lets the run go on; it is called before anybody can know of it, and asks nothing of the gate.
        """
        with self._lock:
            known = self._clients.get(client)
            if known is None or len(self._clients) != 1 or not self._closed or self._ended or self._awaited:
                return False
            go()
            self._now = known.until = self._now + span
            known.since, self.last = None, client
            if self._waiting:
                self._changed.notify_all()
        return True

    def _answer(self) -> None:
        """Call what waits for steps that have passed, or will not."""
        with self._lock:
            now, ended = self._now, self._ended or not self._closed
            over = []
            for name, one in self._awaited.items():
                if one[0] <= now or ended or name not in self._clients:
                    over.append((name, *one))
            for name, _, _ in over:
                del self._awaited[name]
        for _, until, done in over:
            done(now if until <= now else None)

    def step(self, client: str, span: int, timeout: float) -> int | None:
        """Let time pass by a span, and wait until it has.

        Args:
            client: name of the client that steps.
            span: [ns].
            timeout: wall time to wait [s].

        Returns:
            The simulated time then [ns]; None if the mode or the run ended, the client was left out, or the time for
            waiting was over.
        """
        with self._changed:
            if not self._closed or self._ended:
                return None
            until = self._now + span
            self._clients[client] = _Client(until)
            self.last = client
        self.wake()
        return self._wait(lambda: self._now >= until, timeout, client)

    def wait(self, timeout: float) -> int | None:
        """Wait until time has gone on, whichever client lets it. Returns the simulated time then [ns].

        None if it did not go on within `timeout` [s] or before the run ended.
        """
        with self._changed:
            start = self._now
        return self._wait(lambda: self._now != start, timeout)

    def leave(self, client: str) -> None:
        """Note that a client steps no longer: time does not wait for it."""
        with self._changed:
            self._clients.pop(client, None)
        self._answer()
        self.wake()

    def _wait(self, is_over: Callable[[], bool], timeout: float, client: str | None = None) -> int | None:
        def over() -> bool:
            gone = client is not None and (not self._closed or client not in self._clients)
            return is_over() or self._ended or gone

        with self._changed:
            self._waiting += 1
            try:
                self._changed.wait_for(over, timeout)
            finally:
                self._waiting -= 1
            return self._now if is_over() else None
