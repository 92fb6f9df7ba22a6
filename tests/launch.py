"""Stands for a program that a loaded process forks: `python launch.py SOCKET WORDS...` (tests/loaded.py).

It passes on its surroundings and the signals that it gets, and ends as the program ends. It needs the standard library
only, so that its own start is quick.
"""

import json
import os
import signal
import socket
import sys
from pathlib import Path

FORWARDED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def main() -> None:
    """Ask for the program and wait for its end."""
    signal.pthread_sigmask(signal.SIG_BLOCK, FORWARDED)  # until there is somebody to forward them to
    with socket.socket(socket.AF_UNIX) as server:
        server.connect(sys.argv[1])
        ignored = [number for number in FORWARDED if signal.getsignal(number) is signal.SIG_IGN]
        wanted = {"words": sys.argv[2:], "folder": str(Path.cwd()), "environment": dict(os.environ), "ignored": ignored}
        text = json.dumps(wanted).encode()
        socket.send_fds(server, [len(text).to_bytes(4, "little")], [0, 1, 2])
        server.sendall(text)
        process = int.from_bytes(server.recv(4), "little")
        for number in FORWARDED:
            if number not in ignored:
                signal.signal(number, lambda number, _: os.kill(process, number))
        signal.pthread_sigmask(signal.SIG_UNBLOCK, FORWARDED)
        status = int.from_bytes(server.recv(4), "little", signed=True)
    if status < 0:
        signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    sys.exit(status)


if __name__ == "__main__":
    main()
