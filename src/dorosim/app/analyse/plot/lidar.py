"""A turn of a lidar from above and as a range image."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from dorosim.app.serve.sensor.shot import range_image
from dorosim.app.store.picture_file import check_library, save_figure

if TYPE_CHECKING:
    from dorosim.sensor.lidar.reading import LidarReading

VIEW_RANGE = 60.0
"""Half the width of the view from above [m]."""


def plot_turn(reading: LidarReading, path: Path) -> None:
    """Draw a turn to a .png or .svg file.

    Raises:
        InputError: matplotlib is not installed, or the file cannot be written.
    """
    check_library("matplotlib")
    from matplotlib.figure import Figure

    points = reading.points()
    figure = Figure(figsize=(9.0, 9.6), dpi=120, facecolor="#101418")
    above, ranges = figure.subplots(2, 1, height_ratios=(5, 1))
    order = np.argsort(points["z"])
    shown = points[order]
    above.scatter(-shown["y"], shown["x"], c=shown["z"], s=1.6, cmap="turbo", vmin=-3.5, vmax=4.0, linewidths=0)
    above.set(xlim=(-VIEW_RANGE, VIEW_RANGE), ylim=(-VIEW_RANGE, VIEW_RANGE), aspect="equal")
    above.set_title(f"{reading.setting.model}, {len(points):,} points, from above; forward is up [m]", color="white")
    ranges.imshow(
        range_image(reading), aspect="auto", cmap="viridis_r", vmin=0.0, vmax=VIEW_RANGE, interpolation="nearest",
        extent=(180.0, -180.0, 0.0, 1.0),
    )  # fmt: skip
    ranges.set_yticks([])
    ranges.set_xlabel("degrees to the left of forward; colour: distance", color="white")
    for axes in (above, ranges):
        axes.set_facecolor("#101418")
        axes.tick_params(colors="#9aa4ad")
    figure.tight_layout()
    save_figure(figure, path)
