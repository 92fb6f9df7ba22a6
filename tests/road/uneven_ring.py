"""Rings of two lanes whose links do not begin and end side by side."""

from __future__ import annotations

import math

from tests.road.small_map import arc, network_of

ROUND, WIDTH = 1200.0, 3.5
RADIUS = ROUND / (2 * math.pi)


def ring(right_cuts, left_cuts, beside):
    """Two lanes side by side around a circle, each cut at its own places, given as ways along the right lane [m].

    Args:
        right_cuts: where links of the right, outer lane begin.
        left_cuts: where those of the left lane begin.
        beside: names of a link and of the one that it names as the lane beside it.
    """
    cuts = {"R": right_cuts, "L": left_cuts}
    links = []
    for side, places in cuts.items():
        radius = RADIUS if side == "R" else RADIUS - WIDTH
        for number, begin in enumerate(places):
            end = places[(number + 1) % len(places)]
            turn = ((end - begin) % ROUND or ROUND) / RADIUS
            name = f"{side}{number}"
            other = beside.get(name)
            to = "left" if side == "R" else "right"
            more = {f"can_move_{to}_lane": True, f"{to}_lane_change_dst_link_idx": other} if other else {}
            links.append(
                arc(
                    name, f"{side}-{number}", f"{side}-{(number + 1) % len(places)}", (0.0, 0.0), radius,
                    begin / RADIUS, turn, count=round(turn * radius) + 1, max_speed=60, width_start=WIDTH,
                    width_end=WIDTH, **more,
                )
            )  # fmt: skip
    return network_of(*links)


def both_ways(count):
    return {f"R{n}": f"L{n}" for n in range(count)} | {f"L{n}": f"R{n}" for n in range(count)}


MAPS = {
    "shifted by 60 m": lambda: ring(range(0, 1200, 300), range(60, 1260, 300), both_ways(4)),
    "half as long": lambda: ring(
        range(0, 1200, 300),
        range(0, 1200, 150),
        {f"R{n}": f"L{2 * n}" for n in range(4)} | {f"L{n}": f"R{n // 2}" for n in range(8)},
    ),
    "half overlap": lambda: ring(range(0, 1200, 300), range(150, 1350, 300), both_ways(4)),
    "named wrongly": lambda: ring(
        range(0, 1200, 300), range(0, 1200, 300), {"R0": "L2", "L0": "R2", "R1": "L1", "L1": "R1"}
    ),
}
