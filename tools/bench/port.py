"""Ports that are free now."""

from __future__ import annotations

from dorosim.endpoint.udp.socket import Address, open_listener


def free_port() -> int:
    """A loopback UDP port that no process uses."""
    with open_listener(Address("127.0.0.1", 0)) as sock:
        port: int = sock.getsockname()[1]
    return port
