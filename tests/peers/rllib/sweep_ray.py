"""Runs one plan in turns on processes of this machine and on Ray: `sweep_ray.py PLAN FOLDER TURNS`.

Prints as JSON how long the cells of each sweep took [s], from the beginning of the first one to the end of the last
one, by kind, whether Ray's dashboard was served, and whether anything beyond this machine could be reached. Its
folders are `local-0`, `ray-0`, `local-1` and so on.
"""

from __future__ import annotations

import json
import socket
import sys
import threading
from pathlib import Path

from dorosim.app.sweep.plan_file import plan_from_file
from dorosim.app.sweep.runner import SweepOptions, run_sweep
from dorosim.app.sweep.sweep_folder import SweepFolder
from tests.docs.loopback import raise_loopback

DASHBOARD = 8265
"""Usual port of Ray's dashboard."""


def span(folder: Path) -> float:
    """Wall time of the cells of a sweep [s]."""
    works = [line.work for line in SweepFolder(folder).lines()]
    return max(one.began + one.wall for one in works) - min(one.began for one in works)


def watch_dashboard(over: threading.Event, seen: list[int]) -> None:
    """Ask for the dashboard until the sweeps are over."""
    while not over.wait(0.5):
        with socket.socket() as client:
            client.settimeout(0.5)
            if client.connect_ex(("127.0.0.1", DASHBOARD)) == 0:
                seen.append(DASHBOARD)


def is_alone() -> bool:
    """Whether there is no way to any other machine."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        try:
            client.connect(("192.0.2.1", 9))  # nobody's address; this sends nothing
        except OSError:
            return True
    return False


def main() -> None:
    raise_loopback()
    path, folder, turns = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    plan, problems = plan_from_file(path)
    assert plan is not None, problems
    over, seen = threading.Event(), list[int]()
    watcher = threading.Thread(target=watch_dashboard, args=(over, seen))
    watcher.start()
    spans: dict[str, list[float]] = {"local": [], "ray": []}
    try:
        for turn in range(turns):
            for kind, address in (("local", None), ("ray", "local")):
                out = folder / f"{kind}-{turn}"
                run_sweep(plan, path.parent, SweepOptions(out=out, workers=2, ray=address))
                spans[kind].append(span(out))
    finally:
        over.set()
        watcher.join()
    print(json.dumps({"spans": spans, "dashboard": bool(seen), "alone": is_alone()}))


if __name__ == "__main__":
    main()
