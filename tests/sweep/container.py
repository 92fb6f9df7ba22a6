"""Runs programs for those who ask, as the service of containers does: they are no descendants of those who ask.

    container.py serve SOCKET LOG
    container.py SOCKET run --rm --init --network host --name NAME -v FROM:TO:ro -e VARIABLE ... PROGRAM ARGUMENTS...
    container.py SOCKET rm --force NAME

A program has the variables that were named, and no others. What is asked is written to the log, a line each.
"""

import json
import os
import signal
import socketserver
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from socket import AF_UNIX, socket

VALUED = ("--network", "--name", "-v", "-e")
RUNNING = {}


class Asked(socketserver.StreamRequestHandler):
    """A line of JSON that asks, and one that answers: the exit status."""

    def handle(self):
        asked = json.loads(self.rfile.readline())
        if asked["what"] == "run":
            process = subprocess.Popen(asked["words"], env=asked["variables"], start_new_session=True)
            RUNNING[asked["name"]] = process
            self.log("begun", asked["name"], process.pid)
            status = process.wait()
            self.log("ended", asked["name"], status)
        else:
            process = RUNNING.get(asked["name"])
            status = 1
            if process is not None and process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                status = 0
            self.log("killed", asked["name"], status)
        with suppress(BrokenPipeError):  # who asked may be gone
            self.wfile.write(json.dumps(status).encode() + b"\n")

    def log(self, *words):
        with Path(sys.argv[3]).open("a") as file:
            file.write(" ".join(map(str, words)) + "\n")


def ask(path, what):
    with socket(AF_UNIX) as client:
        client.connect(path)
        client.sendall(json.dumps(what).encode() + b"\n")
        return json.loads(client.makefile().readline())


def main():
    if sys.argv[1] == "serve":
        with socketserver.ThreadingUnixStreamServer(sys.argv[2], Asked) as server:
            server.daemon_threads = True
            server.serve_forever()
    path, what, *rest = sys.argv[1:]
    if what == "rm":
        return ask(path, {"what": what, "name": rest[1]})
    options = []
    while rest[0].startswith("-"):
        option = rest.pop(0)
        options.append((option, rest.pop(0) if option in VALUED else ""))
    name = next(value for option, value in options if option == "--name")
    variables = {value: os.environ[value] for option, value in options if option == "-e"}
    return ask(path, {"what": what, "name": name, "variables": variables, "words": rest})


if __name__ == "__main__":
    sys.exit(main())
