"""Which rosbridge a program has by its settings: the embedded server, a client as the product is one, or none."""

from __future__ import annotations

import socket
from collections.abc import Collection
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from dorosim.app.setting.address import address_from_text, address_refused, not_served
from dorosim.app.setting.settings import RosSettings
from dorosim.endpoint.journal import Journal
from dorosim.endpoint.web_origin import WebOrigins
from dorosim.ground.error import InputError

if TYPE_CHECKING:
    from dorosim.endpoint.ros.hub import Hub, Transport

OFF = "off"
RUN_PARAMETER = "/dorosim/run_id"
"""Parameter of the embedded server with the id of the run."""


class RosbridgeChoice:
    """The rosbridge of a program. Its settings are checked before the run begins.

    Args:
        settings: of ROS.
        given: keys of all settings that a user gave.
        journal: where problems are reported.
        run_id: of the program.

    Raises:
        InputError: an address that the user gave cannot be used, or an origin in the list is not one.

    Attributes:
        on: whether there is any. notices, lines: for the banner.
    """

    def __init__(self, settings: RosSettings, given: Collection[str], journal: Journal, run_id: str = "") -> None:
        self.notices: tuple[str, ...] = ()
        self.lines: tuple[str, ...] = ()
        self._settings, self._journal, self._run_id = settings, journal, run_id
        self._explicit = "ros.server" in given
        self._origins = WebOrigins("ros.origins", settings.origins, settings.server.rpartition(":")[0])
        if settings.bridge:
            check_bridge(settings)
            self.on = True
            kind = ", as BSON" if settings.encoding == "bson" else ""
            self.lines = (f"ROS by the rosbridge server at {settings.bridge}{kind}",)
            if self._explicit and not is_off(settings.server):
                self.notices = ("the embedded rosbridge server is off, since ROS goes by another one",)
        else:
            self.on = not is_off(settings.server) and self._is_free()

    def opened(self, hub: Hub) -> Transport | None:
        """The transport, which takes part in the hub; None for none, or where it cannot be opened (see the journal).

        Raises:
            InputError: the address that the user gave cannot be used any longer.
        """
        if not self.on:
            return None
        if self._settings.bridge:
            from dorosim.endpoint.ros.rosbridge.client import RosbridgeClient

            asked = self._settings
            client = RosbridgeClient(
                hub, asked.bridge or "", asked.encoding, self._journal.write_line, asked.frame_mib << 20
            )
            client.start()
            return client
        from dorosim.endpoint.ros.rosbridge.server import RosbridgeServer, ServerLimits

        address = address_from_text("settings", "ros.server", self._settings.server)
        limits = ServerLimits(self._settings.frame_mib << 20, self._settings.clients)
        parameters = {"/use_sim_time": self._settings.clock, RUN_PARAMETER: self._run_id}
        try:
            server = RosbridgeServer(hub, (address.host, address.port), limits, parameters, self._origins)
        except OSError as error:
            refused = self._refused(error)
            self._journal.report("rosbridge is not served", str(refused))
            if self._explicit:
                raise refused from None
            return None
        server.start()
        if address.port == 0:
            self._journal.write_line(f"rosbridge is served at port {server.port}")
        return server

    def _is_free(self) -> bool:
        """Whether the address can be used; a default one that cannot is a notice."""
        text = self._settings.server
        address = address_from_text("settings", "ros.server", text)
        try:
            socket.create_server((address.host, address.port)).close()
        except OSError as error:
            refused = self._refused(error)
            if self._explicit:
                raise refused from None
            self.notices = (not_served(refused),)
            return False
        pages = "web pages (roslibjs, Foxglove) if ros.origins lists them"
        self.lines = (f"rosbridge at ws://{text}: roslibpy and other programs connect without ROS, {pages}",)
        return True

    def _refused(self, error: OSError) -> InputError:
        return address_refused("rosbridge", self._settings.server, error, "--ros-server")


def is_off(text: str) -> bool:
    """Whether an address is the word for no server."""
    return text.strip().casefold() == OFF


def check_bridge(settings: RosSettings) -> None:
    """Refuse a rosbridge server that cannot be connected to as the settings have it.

    Raises:
        InputError: its URL is none, or its encoding needs a package that is not there.
    """
    url = settings.bridge or ""
    try:
        parts = urlsplit(url)
        sound = parts.scheme in ("ws", "wss") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        sound = False
    if not sound:
        raise InputError("ROS", url, "is not a valid address of a rosbridge server", "write it as ws://127.0.0.1:9090")
    if settings.encoding == "bson":
        from importlib.util import find_spec

        if find_spec("bson") is None:
            raise InputError("settings", "ros.encoding", "bson needs another package", "pip install 'dorosim[bson]'")
