"""The cells of the grid of parts list each part that reaches into them, in the order of rows."""

import numpy as np

from dorosim.road.scenery.grid_kernel import CELL, grid_of_parts
from dorosim.road.scenery.table import PartTable

PARTS = 40


def test_each_cell_lists_the_parts_whose_rectangle_reaches_into_it():
    rng = np.random.default_rng(1)
    parts = PartTable.zeros(PARTS)
    parts.x[:], parts.y[:] = rng.uniform(-60.0, 60.0, (2, PARTS))
    parts.yaw[:] = rng.uniform(-3.0, 3.0, PARTS)
    parts.half_length[:], parts.half_width[:] = rng.uniform(0.1, 15.0, (2, PARTS))
    grid = grid_of_parts(parts.floats)
    columns, rows = grid.cells.tolist()
    assert len(grid.first) == columns * rows + 1
    low = (grid.bounds[:2] - grid.corner[:, None]) // CELL
    high = (grid.bounds[3:5] - grid.corner[:, None]) // CELL
    for row in range(rows):
        for column in range(columns):
            first, end = grid.first[column + columns * row : column + columns * row + 2]
            across = (low[0] <= column) & (column <= high[0])
            assert grid.part[first:end].tolist() == np.flatnonzero(across & (low[1] <= row) & (row <= high[1])).tolist()
    assert grid.first[-1] == len(grid.part) > PARTS
