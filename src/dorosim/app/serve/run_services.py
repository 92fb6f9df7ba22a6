"""The program around the world, which all interfaces share: its runs, files, pace and recordings.

Interfaces that last through the runs of a program are its services; `ServiceHost` calls `serve` of each at each run.
"""

from __future__ import annotations

import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from dorosim.app.run.session import RunContext, RunSession
from dorosim.app.run.switch import CurrentRun, RunSwitch
from dorosim.app.serve.host.bag import HostBags
from dorosim.app.serve.host.file import HostFiles
from dorosim.app.serve.host.pace import HostPace
from dorosim.app.serve.host.record import HostRecords
from dorosim.app.serve.host.run import HostRuns
from dorosim.app.serve.run_service import RunService
from dorosim.app.serve.sensor.start import LateStation
from dorosim.app.setting.settings import Settings
from dorosim.endpoint.loop.loop import Loop, Observer
from dorosim.endpoint.loop.pace_monitor import PaceMonitor
from dorosim.ground.error import DorosimError

if TYPE_CHECKING:
    from dorosim.bridge.host import SensorAccess
    from dorosim.bridge.situation import GrpcForm, Situation
    from dorosim.sensor.sensor_input import SceneGeometry
    from dorosim.wire.value_text import ValueText


class ServiceHost:
    """The runs of a program and its services (`dorosim.app.run.session.RunServices`).

    Args:
        settings: of the program.
        context: what all runs share.
        ready: waits for a time [s] until all kernels are there, and returns whether they are.

    Attributes:
        ready: as given. switch: from one run to another.
        pace, runs, files, records, bags: see `dorosim.bridge.host`.
        services: interfaces, in the order in which their `serve` is called.
        meter: how well the runs keep their pace. metered: whether it notes each tick, as for the table; else the page
            lets it note them from its first visitor on, so that a run whose page is not opened does not spend the time.
    """

    def __init__(
        self, settings: Settings, context: RunContext, ready: Callable[[float], bool] = lambda _: True
    ) -> None:
        self.ready = ready
        self.switch = RunSwitch()
        self.pace = HostPace(self.switch, settings.grpc.step_patience_s)
        self.runs = HostRuns(settings, context, self.switch, self.pace)
        self.files = HostFiles(context.data, self.switch)
        self.records = HostRecords(context, self.switch, self.runs)
        self.bags = HostBags(settings.ros.bag, context, self.switch)
        self.services: list[RunService] = []
        self.meter, self.metered = PaceMonitor(context.clock), False

    @property
    def lines(self) -> Collection[str]:
        """Lines for the banner."""
        return [line for service in self.services for line in service.lines]

    @property
    def notices(self) -> Collection[str]:
        """Notices for the banner."""
        return [line for service in self.services for line in service.notices]

    @property
    def counts(self) -> Counter[str]:
        """What happened at the interfaces, by kind."""
        return sum((service.counts for service in self.services), Counter())

    def last_of(self, kind: str) -> list[ValueText]:
        """The fields of the last message of a kind of `counts`; empty where there has been none."""
        found = (one.last_of(kind) for one in self.services)
        return next((fields for fields in found if fields), [])

    @property
    def problem(self) -> DorosimError | None:
        """Why the program ended, None for nothing."""
        return next((one.problem for one in self.services if one.problem is not None), None)

    def observers(self) -> Collection[Observer]:
        """Functions that the loop calls after each tick of the next run."""
        if not self.services:
            return ()
        always = (self.records, self.meter) if self.metered else (self.records,)
        return (*always, *(observer for service in self.services for observer in service.observers))

    def begin(self, session: RunSession, loop: Loop, station: LateStation) -> None:
        """A run is about to begin."""
        current = self.switch.begin(session, loop, station)
        session.opening.loader.player = self.runs
        self.meter.begin(loop.scene.tick)
        self.pace.begin(loop)
        self.bags.begin(current)
        for service in self.services:
            service.serve(current)
        self.switch.begun()

    def end(self) -> None:
        """The run is over."""
        self.records.end()

    def sockets(self) -> Collection[socket.socket]:
        """UDP sockets of the next run, which stay open at the end of the present one."""
        return self.switch.next_sockets

    def close(self, timeout: float | None = None) -> None:
        """End all interfaces.

        Args:
            timeout: wall time after which none is waited for [s], None for any. They are closed side by side then.
        """
        if timeout is None:
            for service in self.services:
                service.close()
            return
        threads = [threading.Thread(target=one.close, name="dorosim-close", daemon=True) for one in self.services]
        for thread in threads:
            thread.start()
        end = time.monotonic() + timeout
        for thread in threads:
            thread.join(max(end - time.monotonic(), 0.0))

    def situations(self, current: CurrentRun, form: GrpcForm | None = None) -> Callable[[str], Situation]:
        """What gives the situation in which a client of a run asks, by the client's address."""
        from dorosim.bridge.actor import names_of
        from dorosim.bridge.host import Host
        from dorosim.bridge.situation import GrpcForm, SceneIndex, Situation

        loop, scene = current.loop, current.loop.scene
        host = Host(self.runs, self.files, _sensor_access(current), self.pace, self.records, self.bags)
        index, chosen = SceneIndex(scene), form or GrpcForm()

        def situate(client: str) -> Situation:
            now = loop.now
            return Situation(now, scene, index, names_of(now), host, client, chosen)

        return situate


def _sensor_access(current: CurrentRun) -> SensorAccess:
    """What sees in a run on request; what that needs is loaded with the first look."""
    from dorosim.app.serve.host.ray_caster import HostRayCaster

    made = current.session.start.ready

    def stage() -> SceneGeometry:
        from dorosim.app.store.scene import sensor_scene

        return sensor_scene(made)

    return HostRayCaster(current.station.open, stage)
