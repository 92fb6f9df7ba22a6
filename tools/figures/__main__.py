"""Measures and draws all plots: `make plots`, or `python -m tools.figures FOLDER`.

What the fundamental diagram shows is printed too, beside the formula.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from dorosim.app.store.folder import data_folder
from tools.figures import collision, drive, fundamental, lane_change, sensor, time_space

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def main(folder: Path) -> None:
    """Write all plots into a folder."""
    console = Console(highlight=False, markup=False)
    folder.mkdir(parents=True, exist_ok=True)

    def keep(name: str, figure: Figure) -> None:
        figure.savefig(folder / name)
        console.print(f"drawn: {folder / name}", soft_wrap=True)

    keep("traffic-light.png", time_space.draw(time_space.measure()))
    flow = fundamental.measure()
    console.print("\n".join(fundamental.lines(flow)), soft_wrap=True)
    keep("fundamental-diagram.png", fundamental.draw(flow))
    keep("lane-change.png", lane_change.draw(lane_change.measure()))
    keep("collision.png", collision.draw(collision.measure()))
    keep("run.png", drive.draw(data_folder(None)))
    for path in sensor.draw_all(folder):
        console.print(f"drawn: {path}", soft_wrap=True)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/images"))
