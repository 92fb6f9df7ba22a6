"""The peer of the traffic figures: SUMO through libsumo, on a grid that netgenerate makes.

    python -m tools.bench.sumo VEHICLES SIDE

It runs in a process of its own, which prints one line of JSON: libsumo holds one simulation a process, and whatever
goes wrong in it must not end the bench. SUMO keeps its own models (Krauss car following, LC2013 lane changes without
sublanes) and one thread; what counts is the time of the processor.
"""

from __future__ import annotations

import importlib
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

TICK = 0.1
WARM_STEPS, ROUNDS, ROUND_STEPS = 200, 10, 10
MAX_DRIVE_TIME = 30
"""Edges of a route: more than a vehicle passes in the whole run at 50 km/h, so that none arrives."""

_SECONDS = 600.0


@dataclass(frozen=True, slots=True)
class SumoRun:
    """What SUMO did.

    Attributes:
        vehicles: that were on the road.
        rate: vehicle-steps a second, the best of the rounds; 0 if it could not be measured.
        version: of SUMO. problem: why it could not be measured, empty otherwise.
    """

    vehicles: int = 0
    rate: float = 0.0
    version: str = ""
    problem: str = ""


def run_sumo(vehicles: int, side: int) -> SumoRun:
    """Vehicles on a grid of `side` times `side` signalised crossroads, in a process of its own."""
    command = [sys.executable, "-m", "tools.bench.sumo", str(vehicles), str(side)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False)
        return SumoRun(**json.loads(done.stdout.splitlines()[-1]))
    except subprocess.TimeoutExpired:
        return SumoRun(problem=f"SUMO took longer than {_SECONDS:g} s")
    except (IndexError, ValueError, TypeError):
        last = (done.stderr.strip() or f"exit status {done.returncode}").splitlines()[-1]
        return SumoRun(problem=f"SUMO ended early: {last}")


def _measure(vehicles: int, side: int) -> SumoRun:
    try:
        sumo, peer = importlib.import_module("sumo"), importlib.import_module("libsumo")
    except ImportError as missing:
        return SumoRun(problem=f"{missing}; make bench installs it where it can (extra bench: eclipse-sumo, libsumo)")
    with tempfile.TemporaryDirectory() as folder:
        net, routes = Path(folder) / "grid.net.xml", Path(folder) / "grid.rou.xml"
        _write_net(Path(sumo.SUMO_HOME) / "bin" / "netgenerate", net, side)
        routes.write_text(_routes(net, vehicles))
        options = ["--step-length", f"{TICK}", "--no-step-log", "--no-warnings", "--seed", "42", "--threads", "1"]
        peer.start(["sumo", "-n", str(net), "-r", str(routes), "--xml-validation", "never", *options])
        found = _drive(peer)
        peer.close()
    return found


def _write_net(netgenerate: Path, net: Path, side: int) -> None:
    """Two lanes in each direction, 200 m from crossroads to crossroads, lights everywhere."""
    shape = ["--grid", f"--grid.number={side}", "--grid.length=200", "--default.lanenumber=2"]
    rules = ["--default-junction-type=traffic_light", "--no-turnarounds=true", "--xml-validation=never"]
    subprocess.run([str(netgenerate), *shape, *rules, "-o", str(net)], check=True, capture_output=True)


def _routes(net: Path, vehicles: int) -> str:
    """Random walks from edges all over the grid."""
    following: dict[str, set[str]] = {}
    for connection in ElementTree.parse(net).getroot().iter("connection"):
        origin, target = connection.attrib["from"], connection.attrib["to"]
        if not origin.startswith(":"):
            following.setdefault(origin, set()).add(target)
    choices = {edge: sorted(targets) for edge, targets in following.items()}
    edges, draw = sorted(choices), random.Random(7)
    lines = ["<routes>"]
    for number in range(vehicles):
        walk = [draw.choice(edges)]
        while len(walk) < MAX_DRIVE_TIME:
            walk.append(draw.choice(choices[walk[-1]]))
        place = 'depart="0" departPos="random_free" departLane="random" departSpeed="0"'
        lines.append(f'<vehicle id="{number}" {place}><route edges="{" ".join(walk)}"/></vehicle>')
    return "\n".join([*lines, "</routes>"])


def _drive(peer: Any) -> SumoRun:
    """Warm up, then count vehicle-steps with position, speed and angle of all vehicles read in each."""
    for _ in range(WARM_STEPS):
        peer.simulationStep()
    vehicle = peer.vehicle
    position, speed, angle = vehicle.getPosition, vehicle.getSpeed, vehicle.getAngle

    def step() -> int:
        peer.simulationStep()
        return len([(position(one), speed(one), angle(one)) for one in vehicle.getIDList()])

    rate = max(_rate(step) for _ in range(ROUNDS))
    return SumoRun(vehicle.getIDCount(), rate, peer.getVersion()[1])


def _rate(step: Callable[[], int]) -> float:
    """Vehicle-steps a second over one round."""
    started = time.process_time()
    count = sum(step() for _ in range(ROUND_STEPS))
    return count / (time.process_time() - started)


if __name__ == "__main__":
    print(json.dumps(asdict(_measure(int(sys.argv[1]), int(sys.argv[2])))))  # noqa: T201 - the answer
