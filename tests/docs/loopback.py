"""A network of its own for a program: Linux only, by `unshare` of util-linux."""

from __future__ import annotations

import fcntl
import os
import shutil
import socket
import struct
import subprocess
import sys
from functools import cache

_SIOCGIFFLAGS, _SIOCSIFFLAGS, _IFF_UP = 0x8913, 0x8914, 0x1


@cache
def own_network() -> tuple[str, ...]:
    """The words before a command that give it a network with a loopback device only; none where that cannot be had."""
    if not sys.platform.startswith("linux") or shutil.which("unshare") is None:
        return ()
    for words in (("unshare", "--net"), ("unshare", "--user", "--map-root-user", "--net")):
        if os.geteuid() != 0 and words == ("unshare", "--net"):
            continue
        if subprocess.run([*words, "true"], capture_output=True, check=False).returncode == 0:
            return words
    return ()


def raise_loopback() -> None:
    """Switch the loopback device on, if it is off, as it is in a network that has just been made."""
    if not sys.platform.startswith("linux"):
        return
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sH14x", b"lo", 0)
        _, flags = struct.unpack("16sH14x", fcntl.ioctl(any_socket, _SIOCGIFFLAGS, request))
        if not flags & _IFF_UP:
            fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", flags | _IFF_UP))
