"""Ports of a run, for the examples: the standard library only.

A run of `dorosim run --ports auto` or `--port-offset N` has other ports than the usual ones. Its banner shows an id;
the environment variable DOROSIM_RUN or the option --run leads an example to it. Without either the usual ports count.
"""

import argparse
import json
import os
import socket
import sys
import tempfile
from pathlib import Path
from typing import Any, NoReturn

Event = dict[str, Any]
"""The `ready` event of a run, as `dorosim run --json` prints it; empty for no run in particular."""


def add_run_option(parser: argparse.ArgumentParser) -> None:
    """Add --run ID."""
    parser.add_argument("--run", metavar="ID", help="the run to connect to, as its banner shows; else DOROSIM_RUN")


def run_event(name: str | None) -> Event:
    """What a run says of itself; ends the program where there is no such run.

    Args:
        name: id of the run, or its file; None: what DOROSIM_RUN says.
    """
    chosen = os.environ.get("DOROSIM_RUN", "") if name is None else name
    if not chosen:
        return {}
    path = Path(chosen)
    if path.suffix != ".json":
        path = run_folder() / f"{path.name}.json"
    try:
        event = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        known = ", ".join(sorted(one.stem for one in run_folder().glob("*.json"))) or "none"
        stop(f"there is no run {chosen!r}; runs of this machine: {known}; the banner of `dorosim run` shows the id")
    except (OSError, ValueError) as error:
        stop(f"{path}: cannot be read: {error}")
    if not isinstance(event, dict) or "run_id" not in event:
        stop(f"{path}: is not the file of a run")
    return event


def run_folder() -> Path:
    """Where runs of this user write their files."""
    if named := os.environ.get("DOROSIM_RUN_FOLDER"):
        return Path(named)
    given = os.environ.get("XDG_RUNTIME_DIR")
    user = os.getuid() if hasattr(os, "getuid") else 0
    return Path(given) / "dorosim" if given else Path(tempfile.gettempdir()) / f"dorosim-{user}"


def sent_to(event: Event, message: str, usual: int) -> int:
    """The port to which a run sends a message of ego 1; the usual one where it does not say."""
    found = [one["to"] for one in event.get("sends", ()) if one["message"] == message and one.get("ego", 1) == 1]
    return port_of(found[0]) if found else usual + int(event.get("port_offset", 0))


def control_port(event: Event, usual: int = 9093) -> int:
    """The port at which a run takes messages to ego 1: the usual one if it listens there, else its first."""
    ports = [port_of(address) for address in event.get("listen", ())]
    wanted = usual + int(event.get("port_offset", 0))
    return wanted if wanted in ports or not ports else ports[0]


def sensor_port(event: Event, kind: str, usual: int) -> int:
    """The port to which the first sensor of a kind sends; the usual one where the run does not say."""
    found = [one["to"] for one in event.get("sensors", ()) if one["kind"] == kind and one.get("to")]
    return port_of(found[0]) if found else usual + int(event.get("port_offset", 0))


def port_of(address: str) -> int:
    """The port of an address such as 127.0.0.1:909."""
    return int(address.rpartition(":")[2])


def bound(port: int, option: str) -> socket.socket:
    """A UDP socket at a loopback port; ends the program with what to do where it cannot have it.

    Args:
        port: as the simulator sends to it.
        option: of the example, by which another port is given, such as "--status-port".
    """
    made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        made.bind(("127.0.0.1", port))
    except PermissionError:
        stop(
            f"port {port} needs a privilege here; start the simulator with --network examples/high_ports.toml, "
            f"and this with {option} and the port that it then sends to (the banner shows it, 9909 for the ego status)"
        )
    except OverflowError:
        stop(f"{option} {port} is not a port; give 1 to 65535")
    except OSError as error:
        stop(
            f"port {port} is in use by another program, perhaps by another example that still runs ({error.strerror}); "
            "end it, or start a simulator of its own with `dorosim run --ports auto` and this with --run and its id"
        )
    return made


def stop(problem: str) -> NoReturn:
    """End the program with what is wrong and what to do."""
    sys.exit(f"{Path(sys.argv[0]).name}: {problem}")
