"""Lanes are compared at all their points, and nothing that is close is missed."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.road.conflict_kernel import find_spans
from dorosim.road.swing_kernel import CONFLICT_DISTANCE, LaneSamples

LANES = 40


def scattered(count: int, share_bent: float) -> LaneSamples:
    """Points of lanes anywhere in a box, some of them with room for bodies that swing out."""
    draw = np.random.default_rng(5)
    link = np.sort(draw.integers(0, LANES, count))
    first = np.searchsorted(link, np.arange(LANES + 1))
    s = np.arange(count) - first[link].astype(float)
    bent = draw.random(count) < share_bent
    reach = 0.5 * CONFLICT_DISTANCE + np.where(bent, draw.uniform(0, 2, count), draw.uniform(0, 0.1, count))
    point = draw.uniform((-40, -60, 0), (50, 30, 6), (count, 3))
    return LaneSamples(first, link, s, point, reach, reach.copy())


def spans_of_all(samples: LaneSamples, close: np.ndarray) -> np.ndarray:
    """The stretches of pairs of points that are close: what the search must find."""
    here, there = np.nonzero(close)
    found: dict[tuple[int, int], list[tuple[float, float]]] = {}
    for i, j in zip(here.tolist(), there.tolist(), strict=True):
        pair = int(samples.link[i]), int(samples.link[j])
        found.setdefault(pair, []).append((samples.s[i], samples.s[j]))
    rows = [
        (*pair, min(a for a, _ in ends), max(a for a, _ in ends), min(b for _, b in ends), max(b for _, b in ends))
        for pair, ends in sorted(found.items())
    ]
    return np.array(rows).reshape(-1, 6).T


@pytest.mark.parametrize("share_bent", [0.0, 0.1, 1.0])
def test_the_search_finds_the_same_stretches_as_comparing_all(share_bent: float) -> None:
    samples = scattered(1200, share_bent)
    point, link = samples.point, samples.link
    distance = np.hypot(*(point[:, None, :2] - point[None, :, :2]).transpose(2, 0, 1))
    other = (link[:, None] != link) & (np.abs(point[:, None, 2] - point[None, :, 2]) < 3.0)
    spans = find_spans(samples, np.full(LANES, -1), np.zeros(0, np.int64))
    assert spans.zone.shape[1] > 100
    assert not spans.unclear.any()
    assert np.array_equal(spans.zone, spans_of_all(samples, other & (distance < CONFLICT_DISTANCE)))
    assert np.array_equal(spans.swept, spans_of_all(samples, other & (distance < samples.low[:, None] + samples.low)))


def test_points_whose_room_decides_are_told_where_it_is_not_known() -> None:
    samples = scattered(1200, 1.0)
    vague = samples._replace(low=np.full(1200, 0.5 * CONFLICT_DISTANCE))
    spans = find_spans(vague, np.full(LANES, -1), np.zeros(0, np.int64))
    assert 0 < np.count_nonzero(spans.unclear) <= 1200


def test_lanes_that_follow_one_another_do_not_meet() -> None:
    samples = scattered(1200, 0.0)
    everything = np.arange(LANES * LANES)
    spans = find_spans(samples, np.full(LANES, -1), everything)
    assert spans.zone.shape == spans.swept.shape == (6, 0)


def test_lanes_of_one_node_have_stretches_of_either() -> None:
    samples = scattered(1200, 0.5)
    nodes = np.arange(LANES) // 4
    spans = find_spans(samples, nodes, np.zeros(0, np.int64))
    alone = find_spans(samples, np.full(LANES, -1), np.zeros(0, np.int64))
    for found in (spans.zone, spans.parting, spans.swept):
        assert np.array_equal(np.lexsort((found[1], found[0])), np.arange(found.shape[1]))
    begin_together = nodes[spans.parting[0].astype(int)] == nodes[spans.parting[1].astype(int)]
    assert len(begin_together)
    assert begin_together.all()
    apart = nodes[alone.zone[0].astype(int)] != nodes[alone.zone[1].astype(int)]
    kept = nodes[spans.zone[0].astype(int)] != nodes[spans.zone[1].astype(int)]
    assert np.array_equal(spans.zone[:, kept], alone.zone[:, apart])


def test_no_points_no_stretches() -> None:
    none = np.zeros(0)
    samples = LaneSamples(np.zeros(1, np.int64), np.zeros(0, np.int64), none, np.zeros((0, 3)), none, none.copy())
    spans = find_spans(samples, np.zeros(0, np.int64), np.zeros(0, np.int64))
    assert spans.zone.shape == spans.parting.shape == spans.swept.shape == (6, 0)
