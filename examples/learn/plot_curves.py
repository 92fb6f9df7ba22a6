"""Draw curves of learning: reward, and episodes without a mistake, over the steps of all worlds.

    python examples/learn/plot_curves.py curves.svg lane-0.csv lane-1.csv lane-2.csv

It needs matplotlib: pip install 'dorosim[plot]'.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import matplotlib as mpl
import numpy as np
from numpy.typing import NDArray

mpl.use("Agg")
from matplotlib import pyplot as plt

PANELS = (("reward", "reward of an episode", 1.0), ("success", "training episodes without a mistake [%]", 100.0))
OVER = 9
"""Rows of a curve whose mean is drawn."""


def read_curve(file: Path) -> dict[str, NDArray[np.float64]]:
    """The columns of a curve, by name."""
    with file.open(newline="", encoding="utf-8") as text:
        header, *rows = csv.reader(text)
    return dict(zip(header, np.array(rows, np.float64).T, strict=True))


def draw(out: Path, files: list[Path]) -> None:
    """Draw curves from files into a picture: as it was measured in pale, the mean of neighbouring rows over it."""
    mpl.rcParams["svg.hashsalt"] = "dorosim"
    figure, axes = plt.subplots(1, len(PANELS), figsize=(9.0, 3.4), constrained_layout=True)
    for number, file in enumerate(files):
        curve, colour = read_curve(file), f"C{number}"
        for axis, (name, label, scale) in zip(axes, PANELS, strict=True):
            steps, values = curve["steps"] / 1e6, curve[name] * scale
            over = min(OVER, len(values))
            mean = np.convolve(values, np.full(over, 1.0 / over), "valid")
            axis.plot(steps, values, color=colour, alpha=0.25, linewidth=0.8)
            axis.plot(steps[over // 2 : over // 2 + len(mean)], mean, color=colour, label=file.stem)
            axis.set_xlabel("steps [million]")
            axis.set_ylabel(label)
            axis.grid(alpha=0.3)
    axes[0].legend(frameon=False, loc="lower right")
    figure.savefig(out, metadata={"Date": None} if out.suffix == ".svg" else None)
    plt.close(figure)


if __name__ == "__main__":
    draw(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]])
