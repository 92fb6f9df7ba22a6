"""ROS beside the runs of a program: the hub, and the transports that the settings ask for.

They outlive runs, and are imported and opened on a thread of their own after the first tick.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dorosim.app.hosting import Hosting
from dorosim.app.run_switch import CurrentRun
from dorosim.app.session import Surroundings
from dorosim.app.settings import Settings
from dorosim.endpoint.loop import Observer
from dorosim.ground.error import DorosimError, InputError
from dorosim.recording.saver import check_place

if TYPE_CHECKING:
    from dorosim.endpoint.ros.hub import Hub, Transport
    from dorosim.recording.bag.recorder import BagRecorder
    from dorosim.world.command.catalogue import Command
    from dorosim.world.snapshot import Snapshot


class RosService:
    """The ROS interface of a program (`dorosim.app.hosting.Service`).

    Args:
        settings: of the program.
        around: what all runs share.
        hosting: the program around the world.

    Raises:
        InputError: an address that the user gave cannot be used.

    Attributes:
        notices: for the banner. lines: for the banner, too.
        problem: why the program ended, None for nothing.
    """

    def __init__(self, settings: Settings, around: Surroundings, hosting: Hosting) -> None:
        self.notices: tuple[str, ...] = ()
        self.lines: tuple[str, ...] = ()
        self.problem: DorosimError | None = None
        self._settings = settings
        self._journal = around.journal
        self._hosting = hosting
        self._hub: Hub | None = None
        self._transports: list[Transport] = []
        self._recorder: BagRecorder | None = None
        self._thread: threading.Thread | None = None
        self._serving = threading.Lock()
        self._closing = threading.Event()
        self._bag = _bag_file(settings)
        if self._bag is not None:
            self.lines = (f"bag: {self._bag}",)

    @property
    def counts(self) -> Counter[str]:
        """Messages by topic, calls by service, problems by kind."""
        return Counter() if self._hub is None else self._hub.counts

    @property
    def observers(self) -> Collection[Observer]:
        """Who publishes."""
        return (self._observe,)

    def serve(self, current: CurrentRun) -> None:
        """A run is about to begin: serve it. A bag begins with the run, so what it needs is there before."""
        if self._bag is not None and self._hub is None:
            self._open()
        with self._serving:
            if self._hub is not None:
                self._serve(self._hub, current)

    def close(self) -> None:
        """Say goodbye to everybody."""
        self._closing.set()
        if self._thread is not None:
            self._thread.join()
        for transport in self._transports:
            transport.close()
        problem = "" if self._recorder is None else self._recorder.problem
        if problem:
            text = f"the bag ends early: {problem}"
            self.problem = InputError(str(self._bag), "", text, "record where there is room")

    def _observe(self, now: Snapshot, commands: Sequence[Command]) -> None:
        """Open ROS beside the run, once; then publish."""
        if self._hub is not None:
            self._hub(now, commands)
        elif self._thread is None:
            self._thread = threading.Thread(target=self._open, name="dorosim-ros-start")
            self._thread.start()

    def _open(self) -> None:
        from dorosim.bridge.ros.catalogue import PROVIDED, PUBLISHED, SUBSCRIBED
        from dorosim.endpoint.ros.hub import Hub
        from dorosim.wire.ros.registry import DEFAULT_GENERATION, registry_of

        if self._closing.is_set():
            return
        registry = registry_of(self._settings.ros.generation or DEFAULT_GENERATION)
        # what the generation of the user's morai_msgs does not have, it is not spoken to about
        published = [one for one in PUBLISHED if one.type in registry.types]
        subscribed = [one for one in SUBSCRIBED if one.type in registry.types]
        provided = [one for one in PROVIDED if one.type in registry.services]
        hub = Hub(registry, published, subscribed, provided, self._journal.report)
        with self._serving:
            self._hub = hub
            self._serve(hub, self._hosting.switch.current)
        if self._bag is not None:
            self._record(hub, self._bag)

    def _record(self, hub: Hub, path: Path) -> None:
        """Let a bag listen to the hub."""
        from dorosim.recording.bag.recorder import BagRecorder

        topics = self._settings.ros.bag.topics
        self._recorder = BagRecorder(path, topics, hub.registry, lambda: hub.time, hub.tell)
        self._transports.append(self._recorder)
        hub.join(self._recorder)

    def _serve(self, hub: Hub, current: CurrentRun) -> None:
        """Serve the present run."""
        from dorosim.bridge.ros.topic import RosForm, RosSituation
        from dorosim.endpoint.ros.hub import Place

        ros = self._settings.ros
        form = RosForm(
            registry=hub.registry,
            epoch=current.session.publisher.epoch,
            map_frame=ros.map_frame,
            body_frame=ros.body_frame,
        )
        situate = self._hosting.situations(current)
        history: dict[str, Any] = {}
        hub.serve(Place(current.desk, lambda client: RosSituation(situate(client), form, history), self._hosting.ready))


def _bag_file(settings: Settings) -> Path | None:
    """The bag that the settings ask for.

    Raises:
        InputError: it cannot be written.
    """
    file = settings.ros.bag.file
    if file is None:
        return None
    path = Path(file)
    if path.suffix.casefold() not in (".bag", ".mcap"):
        raise InputError(file, "", "is no name of a bag", "let it end in .bag (ROS 1) or .mcap")
    check_place(path)
    return path
