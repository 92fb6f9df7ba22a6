"""Makes the built-in maps, the lap for the example, and pictures of the maps: `make town`.

    python -m tools.town PROJECT_FOLDER

A test holds the files in the project against what this module makes.
"""

from __future__ import annotations

import math
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np

from dorosim.app.analyse.map_file import plot_map, write_map
from dorosim.app.store.map import TOWN
from dorosim.mapmaking.lap import lap
from dorosim.mapmaking.motorway_ring import generate_motorway_ring
from dorosim.mapmaking.plan import Size
from dorosim.mapmaking.town import generate_town
from dorosim.mapmaking.village import generate_village
from dorosim.road.mgeo.record import MGeoMap
from dorosim.road.network import network_from_mgeo
from dorosim.road.signal import arrow_of_movement, movement_name

SEED = 8


def make_town() -> MGeoMap:
    """The built-in town."""
    return generate_town(SEED, Size.DEFAULT, TOWN)


MAKERS = {TOWN: make_town, "village": generate_village, "motorway": generate_motorway_ring}
"""What makes each built-in map."""


def lap_text(town: MGeoMap) -> str:
    """The lap as CSV, the last row leads back to the first.

    Columns: x, y, z of its lanes' points in the map [m]; the speed limit from there on [km/h]; at a stop line the ids
    of the lights that hold there, and the lamps that let one pass, as UDP has them.
    """
    links = {link.idx: link for link in town.links}
    network = network_from_mgeo(town)
    route = lap(town)
    rows = []
    for idx, after in pairwise([*route, route[0]]):
        row = network.link_index(idx)
        stop = float(network.signals.stop_line[row])
        lights = network.signals.lights_of_link.of(network.link_index(after)).tolist()
        names = [light.id for light in (network.signals.lights[one] for one in lights) if light.kind != "pedestrian"]
        points = links[idx].points
        arc = np.concatenate(([0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))))
        limit = f"{links[idx].max_speed:.0f}"
        rows += [(s, *point, limit, "", "") for s, point in zip(arc[:-1], points[:-1].tolist(), strict=True)]
        if names and math.isfinite(stop):
            place = [float(np.interp(stop, arc, points[:, k])) for k in range(3)]
            go = arrow_of_movement(movement_name(links[after].related_signal or ""))
            begin = len(rows) - (len(arc) - 1)
            rows = [*rows[:begin], *sorted([*rows[begin:], (stop, *place, limit, " ".join(names), str(go))])]
    lines = (f"{x:.3f},{y:.3f},{z:.3f},{limit},{light},{go}\n" for _, x, y, z, limit, light, go in rows)
    return "x,y,z,limit,light,go\n" + "".join(lines)


if __name__ == "__main__":
    project = Path(sys.argv[1])
    for name, make in MAKERS.items():
        made = make()
        write_map(project / f"src/dorosim/app/{name}.zip", made)
        plot_map(made, project / f"docs/images/{name}.png", None, False)
    (project / "examples/town_lap.csv").write_text(lap_text(make_town()))
