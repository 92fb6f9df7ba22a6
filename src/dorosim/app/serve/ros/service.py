"""ROS beside the runs of a program: the hub, and the transports that the settings ask for.

They outlive runs, and are imported and opened on a thread of their own after the first tick.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from dorosim.app.run.session import RunContext
from dorosim.app.run.switch import CurrentRun
from dorosim.app.serve.host.bag import bag_file
from dorosim.app.serve.ros.node import check_node
from dorosim.app.serve.ros.rosbridge import RosbridgeChoice
from dorosim.app.serve.ros.saved import saved_ros_of, with_network
from dorosim.app.serve.run_service import RunService
from dorosim.app.serve.run_services import ServiceHost
from dorosim.app.setting.settings import Settings
from dorosim.endpoint.loop.loop import Observer
from dorosim.ground.error import DorosimError, InputError

if TYPE_CHECKING:
    from dorosim.app.serve.ros.sensor import LateTap
    from dorosim.endpoint.ros.hub import Hub, Transport
    from dorosim.recording.bag.recorder import BagRecorder
    from dorosim.wire.value_text import ValueText
    from dorosim.world.command import Command
    from dorosim.world.snapshot import Snapshot


T = TypeVar("T", bound="Transport")


class RosService(RunService):
    """The ROS interface of a program.

    Args:
        settings: of the program.
        context: what all runs share.
        service_host: the program around the world.

    Raises:
        InputError: an address, a bag or a topic's settings that the user gave cannot be used.

    Attributes:
        notices: for the banner. lines: for the banner, too.
        problem: why the program ended, None for nothing.
    """

    def __init__(self, settings: Settings, context: RunContext, service_host: ServiceHost) -> None:
        settings, notices = with_network(settings, saved_ros_of(settings, context.data))
        self._rosbridge = RosbridgeChoice(settings.ros, context.given, context.journal, context.run_id)
        self.notices = (*notices, *self._rosbridge.notices)
        self._bag = bag_file(settings.ros.bag)
        bag_lines = () if self._bag is None else (f"bag: {self._bag}",)
        self.lines = (*self._rosbridge.lines, *check_node(settings.ros), *bag_lines)
        self._settings = settings
        self._journal, self._run_id = context.journal, context.run_id
        self._service_host = service_host
        self._hub: Hub | None = None
        self._tap: LateTap | None = None
        self._transports: list[Transport] = []
        self._recorder: BagRecorder | None = None
        self._thread: threading.Thread | None = None
        self._opened = False
        self._last_tick = -1  # number of the last tick
        self._history: dict[str, Any] = {}
        self._unfit = self._settings.ros.bag.topics if self._bag is not None else ()
        self._addresses: dict[str, str] = {}
        self._serving = threading.Lock()
        self._closing = threading.Event()
        if settings.ros.topic:
            # they are checked before the run, and the types of messages are read for that
            from dorosim.app.serve.ros.topics import ros_offer, sensor_rows

            ros_offer(settings)
            sensor_rows(settings)

    @property
    def counts(self) -> Counter[str]:
        """Messages by topic, calls by service, what went into a bag, problems by kind."""
        found = Counter() if self._hub is None else Counter(self._hub.counts)
        if self._recorder is not None:
            for kind, count in dict(self._recorder.counts).items():
                found[f"{kind} recorded" if kind.startswith("/") else f"{kind} to the bag"] = count
        return found

    def last_of(self, kind: str) -> list[ValueText]:
        """The last message of a topic, both of a service."""
        last = None if self._hub is None else self._hub.last_values.get(kind)
        if last is None:
            return []
        from dorosim.wire.ros.value import ros_texts

        return list(ros_texts(last))

    @property
    def observers(self) -> Collection[Observer]:
        """One that publishes each snapshot; none where neither rosbridge, node nor bag is on."""
        ros = self._settings.ros
        return (self._observe,) if self._rosbridge.on or ros.master or self._bag is not None else ()

    @property
    def addresses(self) -> Mapping[str, str] | None:
        """Where ROS reaches the program, None while it is being opened."""
        return None if self.observers and not self._opened else dict(self._addresses)

    def serve(self, current: CurrentRun) -> None:
        """A run is about to begin: serve it. A bag begins with the run, so its hub is there before."""
        if self._bag is not None and self._hub is None:
            self._prepare()
        with self._serving:
            if self._hub is not None:
                self._serve(self._hub, current)
        current.loop.standstill_observers.append(self._stand)

    def close(self) -> None:
        """End the bag, and close the connections of all transports."""
        self._closing.set()
        if self._thread is not None:
            self._thread.join()
        # the bag first, so that its file is whole: a program that has to end does not wait for peers for long
        for transport in sorted(self._transports, key=lambda one: one is not self._recorder):
            transport.close()
        problem = "" if self._recorder is None else self._recorder.problem
        if problem:
            text = f"the bag ends early: {problem}"
            self.problem = InputError(str(self._bag), "", text, "record where there is room")

    def _observe(self, now: Snapshot, commands: Sequence[Command]) -> None:
        """Open ROS beside the run, once; then publish."""
        if self._hub is not None:
            if now.tick < self._last_tick:
                self._begin_again(self._hub)
            self._last_tick = now.tick
            if self._tap is not None:
                self._tap.keep(now)
            self._hub(now, commands)
            if self._unfit and now.tick > 1:
                self._report_unfit(self._hub)
        self.open_now()

    def open_now(self) -> None:
        """Open ROS beside the run, once."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._open, name="dorosim-ros-start")
            self._thread.start()

    def _stand(self, now: Snapshot, waited: float) -> None:
        """No client steps the run: publish what a pause does (`dorosim.endpoint.loop.loop.StandstillObserver`)."""
        if self._hub is not None:
            self._hub.stand(now, waited)

    def _begin_again(self, hub: Hub) -> None:
        """The run has gone back to its first snapshot: forget all of it but which clients step the run."""
        from dorosim.bridge.ros import sync

        hub.begin_again()
        for key in self._history.keys() - {sync.MEMORY}:
            del self._history[key]
        if self._tap is not None:
            self._tap.begin_again()

    def _open(self) -> None:
        if self._closing.is_set():
            return
        hub = self._hub or self._prepare()
        ros = self._settings.ros
        bridge = self._opened_transport(lambda: self._rosbridge.opened(hub))
        port = getattr(bridge, "port", None)  # a client has none
        if port is not None:
            self._addresses["rosbridge"] = f"ws://{ros.server.rpartition(':')[0]}:{port}"
        if ros.master:
            from dorosim.app.serve.ros.node import open_node

            # that of a run that ends meanwhile is closed by `close`, which waits for this thread
            node = self._opened_transport(lambda: open_node(ros, hub, self._journal.write_line, self._run_id))
            if node is not None:
                self._addresses["ros_node"] = f"{ros.host}:{node.port}"
                hub.join(node)
        self._opened = True

    def _prepare(self) -> Hub:
        """The hub, and the bag that listens to it."""
        from dorosim.app.serve.ros.sensor import LateTap
        from dorosim.app.serve.ros.topics import ros_offer, ros_registry, sensor_rows
        from dorosim.endpoint.ros.hub import Hub

        found = ros_offer(self._settings)
        registry, report = ros_registry(self._settings), self._journal.report
        hub = Hub(registry, found.published, found.subscribed, found.provided, report)
        hub.report_seldom = self._journal.report_seldom
        with self._serving:
            self._hub = hub
            self._tap = LateTap(hub, self._settings.ros, sensor_rows(self._settings))
            self._serve(hub, self._service_host.switch.current)
        if self._bag is not None:
            self._record(hub, self._bag)
        return hub

    def _record(self, hub: Hub, path: Path) -> None:
        """Let a bag listen to the hub."""
        from dorosim.recording.bag.recorder import BagRecorder

        def latched(topic: str) -> bool:
            published = hub.published.get(topic)
            return published is not None and published.latched

        topics = self._settings.ros.bag.topics
        self._recorder = BagRecorder(path, topics, hub.registry, lambda: hub.time, hub.report, latched=latched)
        self._transports.append(self._recorder)
        hub.join(self._recorder)

    def _report_unfit(self, hub: Hub) -> None:
        """Report once the names to record that fit no topic. Topics of sensors are there after the first ticks only."""
        from dorosim.app.analyse.bag.file import topic_notices

        for line in topic_notices(self._unfit, hub.published):
            self._journal.write_line(f"notice: bag: {line}")
        self._unfit = ()

    def _opened_transport(self, open_transport: Callable[[], T | None]) -> T | None:
        """What the settings ask for; the program ends where the user asked for it and cannot have it."""
        try:
            opened = open_transport()
        except DorosimError as error:
            self.problem = error
            self._service_host.switch.stop()
            return None
        self._transports += [] if opened is None else [opened]
        return opened

    def _serve(self, hub: Hub, current: CurrentRun) -> None:
        """Serve the present run."""
        from dorosim.bridge.ros.topic import RosForm, RosSituation
        from dorosim.endpoint.ros.hub import HubPlace

        ros, stamped = self._settings.ros, current.session.publisher
        form = RosForm(
            registry=hub.registry,
            epoch=stamped.epoch,
            map_frame=ros.map_frame,
            body_frame=ros.body_frame,
            by_ability=(ros.speed_control or self._settings.udp.speed_control) == "vehicle",
        )
        situate = self._service_host.situations(current)
        self._history = history = dict[str, Any]()

        def situation(client: str) -> RosSituation:
            nonlocal form
            form = form.with_epoch(stamped.epoch)
            return RosSituation(situate(client), form, history)

        gateway = current.gateway.of("ros")
        hub.serve(HubPlace(gateway, situation, self._service_host.ready, stamped, current.loop.scene.tick))
        if self._tap is not None:
            self._tap.begin(current, form)
