"""Lanes are compared at all their points, and nothing that is close is missed."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.road.conflict import CONFLICT_DISTANCE, close_pairs


def all_pairs(point: np.ndarray, link: np.ndarray, reach: np.ndarray) -> set[tuple[int, int]]:
    """Every point with every other: what the search must find."""
    distance = np.hypot(*(point[:, None, :2] - point[None, :, :2]).transpose(2, 0, 1))
    close = (distance < reach[:, None] + reach) & (link[:, None] != link)
    close &= np.abs(point[:, None, 2] - point[None, :, 2]) < 3.0
    return set(zip(*(rows.tolist() for rows in np.nonzero(close)), strict=True))


@pytest.mark.parametrize("share_bent", [0.0, 0.1, 1.0])
def test_the_search_finds_the_same_pairs_as_comparing_all(share_bent: float) -> None:
    draw = np.random.default_rng(5)
    point = draw.uniform((-40, -60, 0), (50, 30, 6), (1200, 3))
    link = draw.integers(0, 40, len(point))
    bent = draw.random(len(point)) < share_bent
    reach = 0.5 * CONFLICT_DISTANCE + np.where(bent, draw.uniform(0, 2, len(point)), draw.uniform(0, 0.1, len(point)))
    here, there, distance = close_pairs(point, link, reach)
    found = list(zip(here.tolist(), there.tolist(), strict=True))
    assert len(found) == len(set(found)) > 1000
    assert set(found) == all_pairs(point, link, reach)
    np.testing.assert_allclose(distance, np.hypot(*(point[here] - point[there])[:, :2].T))


def test_no_points_no_pairs() -> None:
    here, there, distance = close_pairs(np.zeros((0, 3)), np.zeros(0, np.int64), np.zeros(0))
    assert len(here) == len(there) == len(distance) == 0
