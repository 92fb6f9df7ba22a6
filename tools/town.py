"""Makes the built-in town, the lap for the example, and the picture of it: `make town`.

    python -m tools.town PROJECT_FOLDER

A test holds the files in the project against what this module makes.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from dorosim.app.analyse.map_file import plot_map, write_map
from dorosim.app.store.map import TOWN
from dorosim.mapmaking.lap import lap
from dorosim.mapmaking.plan import Size
from dorosim.mapmaking.town import generate_town
from dorosim.road.mgeo.record import MGeoMap

SEED = 8


def make_town() -> MGeoMap:
    """The built-in town."""
    return generate_town(SEED, Size.DEFAULT, TOWN)


def lap_text(town: MGeoMap) -> str:
    """The lap as CSV: x, y, z of its lanes' points in the map [m], the last leads back to the first."""
    links = {link.idx: link for link in town.links}
    points = np.concatenate([links[idx].points[:-1] for idx in lap(town)])
    return "x,y,z\n" + "".join(f"{x:.3f},{y:.3f},{z:.3f}\n" for x, y, z in points.tolist())


if __name__ == "__main__":
    project = Path(sys.argv[1])
    town = make_town()
    write_map(project / "src/dorosim/app/town.zip", town)
    (project / "examples/town_lap.csv").write_text(lap_text(town))
    plot_map(town, project / "docs/images/town.png", None, False)
