"""Workers on a Ray cluster: an actor holds each, by the same class as a thread of the runner does on this machine.

Ray sends no usage statistics and serves no dashboard where the runner starts it. The folder of the sweep has to be the
same one on all nodes.
"""

from __future__ import annotations

import atexit
import logging
import os
import subprocess
import sys
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from dorosim.app.sweep import marked
from dorosim.app.sweep.cell import decode_line
from dorosim.app.sweep.journal import read_journal, wait_for_writers
from dorosim.app.sweep.limits import SweepLimits
from dorosim.app.sweep.local_pool import PoolNews
from dorosim.app.sweep.marked import MARK, ray_folder
from dorosim.app.sweep.ray_call import RayCalls
from dorosim.app.sweep.worker_event import CellOrder, WorkerEvent
from dorosim.app.sweep.worker_host import WRITER_PATIENCE_S, SweepPauseError, WorkerHost
from dorosim.ground.error import InputError, one_line

LOCAL_RAY = "local"
_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_worker_niceness": "0",
    "RAY_kill_child_processes_on_worker_exit_with_raylet_subreaper": "true",
    "RAY_gcs_rpc_server_reconnect_timeout_s": "20",
}
"""No usage statistics, and no lower priority than the runner has. Its nodes end what their processes leave behind, and
a runner whose cluster is gone does not wait a minute for it."""
_GUARD_PATIENCE_S = 4.0
"""Time that Ray's processes have to end by themselves as the runner has gone [s]."""
_LOOK_S = 5.0
"""Time without news after which it is asked whether the cluster has nodes [s]."""
_START_S, _CALL_S, _CLOSE_S = 180.0, 60.0, 20.0
"""Wall time that Ray has to start, for a call beyond what it waits for, and for actors to end [s]."""
_ERROR_S = 30.0
"""Wall time in which Ray says so, as its processes have been ended [s]."""


class RayHost:
    """Runs cells on a node; an actor of Ray. The arguments are those of `WorkerHost`."""

    def __init__(self, folder: str, name: str, limits: SweepLimits, mark: str) -> None:
        self._host = WorkerHost(Path(folder), name, limits, mark)

    def run(self, orders: bytes) -> tuple[bytes, str]:
        """Run cells. Returns the events, and why the sweep has to pause, "" where it goes on."""
        events: list[WorkerEvent] = []
        why = ""
        try:
            events.extend(self._host.run(msgspec.json.decode(orders, type=list[CellOrder])))
        except SweepPauseError as error:
            why = str(error)
        return msgspec.json.encode(events), why

    def close(self) -> None:
        """End the worker."""
        self._host.close()


class RayPool:
    """Actors of a cluster.

    Args:
        folder: of the sweep.
        run: number of the runner, for names.
        count: of workers.
        limits: of the plan.
        mark: of the runner.
        address: of the cluster; "local": one is started here.

    Raises:
        InputError: Ray is not installed, or the cluster is not there.

    Attributes:
        count: how many there are.
    """

    def __init__(self, folder: Path, run: int, count: int, limits: SweepLimits, mark: str, address: str) -> None:
        os.environ.update(_QUIET)
        try:
            import ray
        except ImportError:
            raise InputError("--ray", "", "Ray is not installed", "install dorosim[ray]") from None
        self._ray: Any = ray
        self._guard: subprocess.Popen[bytes] | None = None
        self._calls = RayCalls()
        self._address, self._mark, self._limits = address, mark, limits
        self._folder, self._run, self._starts = folder, run, count
        self._names = [f"{run:03}-{number:03}" for number in range(count)]
        self._actors: list[Any] = []
        self._open: dict[Any, int] = {}
        self._news: deque[PoolNews] = deque()
        self.count = count
        try:
            self._calls.call(self._connect, _START_S + _ERROR_S, "start")
            self._actors = [self._new(name) for name in self._names]
        except SweepPauseError:
            self._leave()
            raise
        except Exception as error:
            self._leave()
            why, cure = "cannot be reached", "give the address of a cluster, or 'local'"
            if address == LOCAL_RAY:
                why, cure = "does not start", f"run it again; Ray's logs are in {ray_folder(mark)}"
            raise InputError(f"--ray {address}", "", f"{why}: {one_line(str(error))[:200]}", cure) from None
        self._looked = time.monotonic()

    def _connect(self) -> None:
        """Start Ray on this machine, or find the cluster."""
        logging.getLogger("ray").setLevel(logging.ERROR)
        if self._address != LOCAL_RAY:
            self._ray.init(address=self._address, log_to_driver=False, logging_level=logging.ERROR)
            return
        self._guard = _guarded(self._mark)
        os.environ[MARK] = self._mark
        self._ray.init(
            address=LOCAL_RAY,  # else it would take a cluster that is there already
            num_cpus=self.count,
            include_dashboard=False,
            log_to_driver=False,
            logging_level=logging.ERROR,
            _temp_dir=ray_folder(self._mark),
        )
        _say_started(self._guard)

    def submit(self, worker: int, orders: Sequence[CellOrder]) -> None:
        """Give cells to a worker that has none.

        Raises:
            SweepPauseError: Ray does not answer.
        """
        content = msgspec.json.encode(list(orders))
        actor = self._actors[worker]
        self._open[self._calls.call(lambda: actor.run.remote(content), _CALL_S, "give an actor cells")] = worker

    def wait(self, seconds: float) -> PoolNews | None:
        """What a worker says next, None if none says anything for so long.

        Raises:
            SweepPauseError: the sweep cannot go on.
        """
        if not self._news and not self._open:
            time.sleep(seconds)
        if not self._news and self._open:
            given = list(self._open)
            wait = self._ray.wait
            ready, _ = self._calls.call(
                lambda: wait(given, num_returns=1, timeout=seconds), seconds + _CALL_S, "wait for actors"
            )
            for one in ready:
                self._take(one, self._open.pop(one))
            self._look(bool(ready))
        return self._news.popleft() if self._news else None

    def _look(self, heard: bool) -> None:
        """See to it that there is a node that can go on, where nothing has been heard for a while.

        Raises:
            SweepPauseError: there is none; new actors would wait for one for ever.
        """
        now = time.monotonic()
        if self._guard is not None and self._guard.poll() is not None:  # it was killed
            self._end_guard()
            self._guard = _guarded(self._mark)
            _say_started(self._guard)
        if heard:
            self._looked = now
        elif now - self._looked > _LOOK_S:
            self._looked = now
            nodes = self._calls.call(self._ray.nodes, _CALL_S, "list its nodes")
            if not any(one["Alive"] for one in nodes):
                raise SweepPauseError("no node of Ray's cluster is there any more; start Ray again")

    def _take(self, reference: Any, worker: int) -> None:
        """Take what an actor has done; one that is gone is made anew, and its cells are given again."""
        try:
            get = self._ray.get
            content, why = self._calls.call(lambda: get(reference, timeout=_CALL_S), 2 * _CALL_S, "take what was done")
        except self._ray.exceptions.RayError:
            self._replace(worker)
            self._news.append((worker, None))
            return
        self._news.extend((worker, event) for event in msgspec.json.decode(content, type=list[WorkerEvent]))
        self._news.append((worker, None))
        if why:
            raise SweepPauseError(why)

    def _new(self, name: str) -> Any:
        """An actor for a worker."""
        made = self._ray.remote(num_cpus=1)(RayHost)
        given = str(self._folder), name, self._limits, self._mark
        return self._calls.call(lambda: made.remote(*given), _CALL_S, "start an actor")

    def _replace(self, worker: int) -> None:
        """Make an actor anew; cells whose lines the old one has in its journals are done.

        The process that the old one held may outlive it for a moment, and finish a cell.
        """
        journals = sorted((self._folder / "journal").glob(f"{self._names[worker]}-*.jsonl"))
        wait_for_writers(journals, WRITER_PATIENCE_S)
        for path in journals:
            for content in read_journal(path):
                row = decode_line(content).row
                event = WorkerEvent(kind="done", number=row.cell.number, verdict=row.verdict, margin=row.margin)
                self._news.append((worker, event))
        self._names[worker] = f"{self._run:03}-{self._starts:03}"
        self._actors[worker] = self._new(self._names[worker])
        self._starts += 1

    def close(self) -> None:
        """End all workers, and leave the cluster."""
        with suppress(self._ray.exceptions.RayError, SweepPauseError):
            self._calls.call(self._end_actors, _CLOSE_S + _CALL_S, "end actors")
        self._leave()

    def _end_actors(self) -> None:
        self._ray.get([one.close.remote() for one in self._actors], timeout=_CLOSE_S)

    def _leave(self) -> None:
        """Leave the cluster; where Ray does not answer, its processes on this machine are ended without it."""
        with suppress(SweepPauseError, self._ray.exceptions.RayError):
            self._calls.call(self._ray.shutdown, _CALL_S, "stop")
        if self._calls.stuck:
            atexit.unregister(self._ray.shutdown)
        self._end_guard()
        self._calls.close()

    def _end_guard(self) -> None:
        """Let the guard of Ray on this machine end what is left of it."""
        guard, self._guard = self._guard, None
        if guard is not None:
            guard.communicate()


def _guarded(mark: str) -> subprocess.Popen[bytes]:
    """A process that ends Ray on this machine with the runner: some of Ray's own processes outlive a kill.

    It ends a Ray that does not start, too. Where a process of it dies as it starts, the runner waits for an answer of
    the node for ever, in a call that stops all its threads.
    """
    words = [sys.executable, "-I", "-S", marked.__file__, mark, str(_GUARD_PATIENCE_S), str(_START_S)]
    return subprocess.Popen(words, stdin=subprocess.PIPE, start_new_session=True)


def _say_started(guard: subprocess.Popen[bytes]) -> None:
    """Let a guard know that Ray has started."""
    assert guard.stdin is not None
    with suppress(BrokenPipeError):
        guard.stdin.write(b".")
        guard.stdin.flush()
