"""Who may go where at a junction."""

import itertools

import pytest

from dorosim.mapmaking.junction import LEFT, RIGHT, STRAIGHT, assign_turns

ALL = {STRAIGHT: 1, LEFT: 1, RIGHT: 1}
S, L, R = STRAIGHT, LEFT, RIGHT


@pytest.mark.parametrize(
    ("dedicated", "exits", "expected"),
    [
        pytest.param([False], ALL, [{S, L, R}], id="one lane goes everywhere"),
        pytest.param([False, False], {**ALL, S: 2}, [{S, L}, {S, R}], id="two lanes share the turns"),
        pytest.param([True, False, False], {**ALL, S: 2}, [{L}, {S}, {S, R}], id="a turn lane only turns"),
        pytest.param([False, False], ALL, [{S, L}, {R}], id="a lane too many turns right"),
        pytest.param([True, False, False, False], {**ALL, S: 2}, [{L}, {S}, {S}, {R}], id="an avenue narrows"),
        pytest.param([False, False], {L: 2, R: 2}, [{L}, {R}], id="the stem of a T"),
        pytest.param([False, False, False], {L: 2, R: 2}, [{L}, {L}, {R}], id="a wide stem"),
        pytest.param([False, False], {S: 2}, [{S}, {S}], id="no turns"),
        pytest.param([False, False], {S: 2, R: 1}, [{S}, {S, R}], id="past a one-way street"),
        pytest.param([False], {L: 1}, [{L}], id="left only"),
    ],
)
def test_lanes_serve_turns(dedicated, exits, expected):
    assert assign_turns(dedicated, exits) == expected


def possible_junctions():
    """Entry lanes with and without a turn lane, and exits in up to three directions."""
    for lanes, straight, left, right in itertools.product((1, 2, 3, 4), (0, 1, 2, 3), (0, 1, 3), (0, 1, 3)):
        exits = {kind: count for kind, count in ((S, straight), (L, left), (R, right)) if count}
        if exits:
            yield [False] * lanes, exits
        if left and lanes > 1:
            yield [True, *[False] * (lanes - 1)], exits


def test_no_lane_is_a_dead_end_and_no_turn_is_forgotten():
    for dedicated, exits in possible_junctions():
        turns = assign_turns(dedicated, exits)
        assert all(turns), (dedicated, exits)
        assert set().union(*turns) == set(exits), (dedicated, exits)
