"""The choices of the user for the node."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeSettings:
    """Choices of the user.

    Attributes:
        master: URI of the ROS master. node: name. host: name or address at which other nodes reach this one.
        max_message: bytes of a message from outside. sim_time: whether nodes shall take the time from /clock.
        run_id: of the program, for the parameter NODE/run_id; "" for none.
        origins: of web pages that may call the XML-RPC server; see `dorosim.endpoint.web_origin`.
    """

    master: str
    node: str = "/dorosim"
    host: str = "127.0.0.1"
    max_message: int = 32 << 20
    sim_time: bool = False
    origins: tuple[str, ...] = ()
    run_id: str = ""
