"""Lanes are compared at all their points, and nothing that is close is missed."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.road.conflict_kernel import find_spans
from dorosim.road.polyline import Polylines, polylines_from_points
from dorosim.road.swing_kernel import (
    ALONG_BODY,
    CHORD_HALF,
    CONFLICT_DISTANCE,
    MAX_SWING,
    SWING,
    LaneSamples,
    sample_lanes,
)

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


@pytest.mark.parametrize("seed", range(4))
def test_what_room_bodies_need_is_between_its_bounds(seed: int) -> None:
    draw = np.random.default_rng(seed)
    lines = []
    for number in range(30):
        share = np.linspace(0.0, 1.0, int(draw.integers(2, 40)))
        angle, radius = draw.uniform(-6.0, 6.0) * share * (number % 3), draw.uniform(4.0, 60.0)
        line = radius * np.column_stack((np.cos(angle), np.sin(angle), 0.0 * share)) + share[:, None] * (80.0, 0.0, 0.0)
        lines.append(np.repeat(line, draw.integers(1, 3, len(line)), axis=0) if number % 5 == 0 else line)
    nodes = np.repeat(np.arange(15), 2)
    all_lines = polylines_from_points(lines, nodes, nodes + 1)
    length = all_lines.arc[all_lines.first[1:] - 1]
    counts = np.ceil(length).astype(np.int64) + 1
    found = sample_lanes(all_lines.points, all_lines.tangent, all_lines.arc, all_lines.run, all_lines.first, counts)
    bend = [curvature_at(all_lines, found.link, np.clip(found.s + x, 0.0, length[found.link])) for x in ALONG_BODY]
    reach = 0.5 * CONFLICT_DISTANCE + np.minimum(SWING * np.max(bend, axis=0), MAX_SWING)
    assert (found.low <= reach).all()
    assert (reach <= found.high).all()
    assert np.mean(found.high - found.low < 0.011) > 0.9


def curvature_at(lines: Polylines, link: np.ndarray, s: np.ndarray) -> np.ndarray:
    """How much lines turn around places on them, by the headings of numpy [1/m]."""
    back, ahead = (lines.tangent_at(*lines.segment_at(link, s + way)) for way in (-CHORD_HALF, CHORD_HALF))
    turn = np.arctan2(ahead[:, 1], ahead[:, 0]) - np.arctan2(back[:, 1], back[:, 0])
    return np.abs(np.mod(turn + np.pi, 2 * np.pi) - np.pi) / (2 * CHORD_HALF)


def test_no_points_no_stretches() -> None:
    none = np.zeros(0)
    samples = LaneSamples(np.zeros(1, np.int64), np.zeros(0, np.int64), none, np.zeros((0, 3)), none, none.copy())
    spans = find_spans(samples, np.zeros(0, np.int64), np.zeros(0, np.int64))
    assert spans.zone.shape == spans.parting.shape == spans.swept.shape == (6, 0)
