"""The native ROS 1 node of a program; its settings are checked before the run begins."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import TYPE_CHECKING

from dorosim.app.setting.settings import RosSettings
from dorosim.ground.error import InputError
from dorosim.wire.ros.tcpros import host_and_port, is_name

if TYPE_CHECKING:
    from dorosim.endpoint.ros.hub import Hub
    from dorosim.endpoint.ros.node.node import RosNode


def check_node(settings: RosSettings) -> tuple[str, ...]:
    """A line for the banner, none where there is no node.

    Raises:
        InputError: a setting of the node cannot be used.
    """
    if not settings.master:
        return ()
    try:
        host_and_port(settings.master)
    except ValueError as error:
        raise InputError("ROS", "ros.master", str(error), "give it as --ros-master http://127.0.0.1:11311") from None
    if not is_name(settings.node):
        raise InputError(
            "settings", "ros.node", f"{settings.node!r} is not a valid name of a node", "name it as /dorosim"
        )
    try:
        socket.getaddrinfo(settings.host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        cure = "give the name or address at which other nodes reach this machine"
        raise InputError("settings", "ros.host", f"{settings.host!r} is not known: {error}", cure) from None
    return (f"ROS 1 node {_name(settings)} of the master at {settings.master}",)


def open_node(settings: RosSettings, hub: Hub, say: Callable[[str], None], run_id: str = "") -> RosNode:
    """The node that the settings ask for; its parameter `run_id` at the master is that of the program.

    Raises:
        InputError: there is no port at its host.
    """
    from dorosim.endpoint.ros.node.node import RosNode
    from dorosim.endpoint.ros.node.settings import NodeSettings

    form = NodeSettings(
        master=settings.master or "",
        node=_name(settings),
        host=settings.host,
        max_message=settings.message_mib << 20,
        sim_time=settings.clock,
        origins=settings.origins,
        run_id=run_id,
    )
    try:
        return RosNode(hub, form, say)
    except OSError as error:
        cure = "give a name or an address of this machine"
        raise InputError("settings", "ros.host", f"{settings.host!r}: {error.strerror or error}", cure) from None


def _name(settings: RosSettings) -> str:
    return settings.node if settings.node.startswith("/") else f"/{settings.node}"
