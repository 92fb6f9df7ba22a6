"""Registers topics and services at the master, again and again: masters start late, stop, and restart."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dorosim.endpoint.ros.hub import Hub
from dorosim.endpoint.ros.node.publisher_connection import PublisherConnections
from dorosim.endpoint.ros.node.remote import Remote, RemoteError
from dorosim.endpoint.ros.node.settings import NodeSettings

MASTER_PERIOD_S = 1.0
"""Time from one look at the master to the next [s]."""
MASTER_TIMEOUT_S = 2.0
"""Time for an answer of the master [s]."""
SIM_TIME = "/use_sim_time"


@dataclass(frozen=True, slots=True, order=True)
class RegistrarEntry:
    """What is registered at the master: a topic or a service.

    Attributes:
        role: "Publisher", "Subscriber" or "Service", as in the names of the master's methods.
        name: of the topic or service. type: of the messages, "" for a service.
    """

    role: str
    name: str
    type: str = ""


class Registrar:
    """Keeps the registrations at the master up to date, on a thread of its own.

    Args:
        hub: has topics and services. publishers: get the publishers that the master reports.
        settings: of the user. uris: of our XML-RPC server and of our services.
        say: is called with a text when the node is registered.
    """

    def __init__(
        self,
        hub: Hub,
        publishers: PublisherConnections,
        settings: NodeSettings,
        uris: tuple[str, str],
        say: Callable[[str], None],
    ) -> None:
        self._hub, self._publishers, self._say = hub, publishers, say
        self._node, self._sim_time = settings.node, settings.sim_time
        self._run_id, self._run_id_set = settings.run_id, False
        self._api, self._services = uris
        self._remote = Remote(settings.master, MASTER_TIMEOUT_S)
        self._known: set[RegistrarEntry] = set()
        self._refused: set[RegistrarEntry] = set()
        self._there: bool | None = None
        self._time_before: Any = None
        self._time_set = False
        self._over = False
        self._wake = threading.Event()
        self._thread = threading.Thread(target=self._run, name="dorosim-ros-master", daemon=True)
        self._thread.start()

    def change(self) -> None:
        """Topics come or go: update the registrations soon. From any thread."""
        self._wake.set()

    def leave(self) -> None:
        """Unregister everything soon, and register nothing any more. From any thread."""
        self._over = True
        self._wake.set()

    def close(self) -> None:
        """Do as `leave`, and wait for it; a master that does not answer is not waited for long."""
        self.leave()
        self._thread.join(2 * MASTER_TIMEOUT_S + 0.5)

    def _run(self) -> None:
        while not self._over:
            self._wake.clear()
            try:
                self._keep()
            except RemoteError as error:
                self._missing(error)
            except Exception as error:  # a fault of ours; the run goes on
                self._hub.report("ROS internal error", f"{type(error).__name__}: {error}")
            self._wake.wait(MASTER_PERIOD_S)
        try:
            self._take_back()
        except RemoteError:  # it has gone: there is nothing to take back
            pass
        finally:
            self._remote.close()

    def _missing(self, error: RemoteError) -> None:
        """Take note that the master does not answer: its registrations are lost, and this is reported once."""
        self._known.clear()
        self._time_set = self._run_id_set = False
        if self._there is not False:
            self._hub.report("ROS master not reached", f"{error}; it is tried again every {MASTER_PERIOD_S:g} s")
        self._there = False

    def _keep(self) -> None:
        """Register at the master what it does not know, and unregister what is not there any longer.

        Raises:
            RemoteError: the master does not answer.
        """
        if self._known and not self._is_known():
            self._known.clear()
            self._time_set = self._run_id_set = False
            self._there = None
        wanted = self._wanted()
        self._refused &= wanted
        for entry in sorted(self._known - wanted):
            self._call(f"unregister{entry.role}", *self._address(entry))
            self._known.discard(entry)
            self._publishers.update(entry.name, ())
        for entry in sorted(wanted - self._known):
            if self._over:
                return
            self._register(entry)
        if self._sim_time and not self._time_set:
            self._begin_time()
        if self._run_id and not self._run_id_set:
            self._call("setParam", self._run_parameter, self._run_id)
            self._run_id_set = True
        if not self._there:
            self._there = True
            self._say(f"ROS node {self._node} is registered at {self._remote.uri}")

    def _wanted(self) -> set[RegistrarEntry]:
        hub = self._hub
        entries = {RegistrarEntry("Publisher", one.topic, one.type) for one in hub.published.values()}
        entries |= {RegistrarEntry("Subscriber", one.topic, one.type) for one in hub.subscribed.values()}
        return entries | {RegistrarEntry("Service", name) for name in hub.provided}

    def _is_known(self) -> bool:
        """Whether the master still knows this node; a master that was restarted does not."""
        try:
            return bool(self._call("lookupNode", self._node) == self._api)
        except RemoteError as error:
            if error.reached:
                return False
            raise

    def _register(self, entry: RegistrarEntry) -> None:
        if entry.role == "Service":
            arguments: tuple[str, ...] = (entry.name, self._services, self._api)
        else:
            arguments = (entry.name, entry.type, self._api)
        try:
            found = self._call(f"register{entry.role}", *arguments)
        except RemoteError as error:
            if not error.reached:
                raise
            if entry not in self._refused:
                self._refused.add(entry)
                self._hub.report("ROS master refuses", f"{entry.role.lower()} of {entry.name}: {error}")
            return
        self._known.add(entry)
        if entry.role == "Subscriber" and isinstance(found, list):
            self._publishers.update(entry.name, [uri for uri in found if isinstance(uri, str)], keep=True)

    def _address(self, entry: RegistrarEntry) -> tuple[str, str]:
        return entry.name, self._services if entry.role == "Service" else self._api

    def _begin_time(self) -> None:
        """Let nodes that start take the time from /clock; remember what it was before."""
        try:
            self._time_before = self._call("getParam", SIM_TIME)
        except RemoteError as error:
            if not error.reached:
                raise
            self._time_before = None
        self._call("setParam", SIM_TIME, True)
        self._time_set = True

    @property
    def _run_parameter(self) -> str:
        return f"{self._node}/run_id"

    def _take_back(self) -> None:
        if self._run_id_set:
            self._call("deleteParam", self._run_parameter)
        if self._time_set:
            if self._time_before is None:
                self._call("deleteParam", SIM_TIME)
            else:
                self._call("setParam", SIM_TIME, self._time_before)
        for entry in sorted(self._known):
            try:
                self._call(f"unregister{entry.role}", *self._address(entry))
            except RemoteError as error:
                if not error.reached:
                    raise
        self._known.clear()

    def _call(self, method: str, *arguments: Any) -> Any:
        return self._remote.call(method, self._node, *arguments)
