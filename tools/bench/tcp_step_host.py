"""The floor of the fixed step's figure: a bare TCP echo that makes a `step` of the world for each request.

`python -m tools.bench.tcp_step_host` prints the port and serves one client until its standard input ends.
"""

from __future__ import annotations

import gc
import socket
import sys
import threading

from dorosim.ground.noise import Noise
from dorosim.world.step import step
from tools.bench.peer import say
from tools.bench.world import DRIVE, ready

REQUEST, ANSWER = 20, 24
"""Bytes of FixedStep and of its answer."""


def main() -> None:
    """Serve."""
    made, noise = ready(), Noise(0)
    now = step(made.scene, made.first, (DRIVE,), noise)
    gc.freeze()
    listener = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=sys.stdin.read, daemon=True).start()
    say(str(listener.getsockname()[1]))
    sock, _ = listener.accept()
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    answer = bytes(ANSWER)
    while sock.recv(REQUEST):
        now = step(made.scene, now, (), noise)
        sock.sendall(answer)


if __name__ == "__main__":
    main()
