"""A class of state as a flat list of leaves, and back."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest

from dorosim.ground.column import Columns, FloatArray, IntArray, float64, float64_vector, int64
from dorosim.ground.state_tree import NOT_STATE, StateTree, rows_of
from dorosim.ground.unit import METRE, NONE, SECOND


class Body(Columns):
    x = float64(METRE, "east")
    wheel = float64_vector(2, SECOND, "of each wheel")
    id = int64("actor id")


class Routes:
    """Arrays in a class that is no dataclass."""

    __slots__ = ("first", "point")

    def __init__(self, first: IntArray, point: FloatArray) -> None:
        self.first = first
        self.point = point


@dataclass(frozen=True)
class Inner:
    body: Body
    route: Routes = field(metadata=rows_of("body"))


@dataclass(frozen=True, slots=True)
class World:
    tick: int
    paused: bool
    ids: tuple[int, ...]
    grip: float
    inner: Inner
    other: Body
    told: str = field(default="", metadata=NOT_STATE)


def world() -> World:
    body = Body(np.arange(6.0).reshape(3, 2), np.array([[7, 8]]))
    return World(4, True, (1, 2), 0.1, Inner(body, Routes(np.array([0, 1, 1]), np.ones((1, 3)))), Body.zeros(0), "x")


TREE = StateTree(World)


def test_every_column_array_and_value_is_a_leaf_named_by_its_path():
    assert list(TREE.leaf) == [
        *("tick", "paused", "ids", "grip"),
        *("inner.body.x", "inner.body.wheel", "inner.body.id", "inner.route.first", "inner.route.point"),
        *("other.x", "other.wheel", "other.id"),
    ]
    wheel = TREE.leaf["inner.body.wheel"]
    assert (wheel.table, wheel.width, wheel.unit) == ("inner.body", 2, SECOND)
    assert (TREE.leaf["grip"].table, TREE.leaf["grip"].unit, TREE.leaf["grip"].dtype) == ("", NONE, np.float64)
    assert TREE.tables == {"inner.body": Body, "other": Body}
    assert TREE.rows == {"inner.route": "inner.body"}


def test_a_tree_gives_the_arrays_themselves():
    state = world()
    arrays = TREE.arrays(state)
    assert arrays[0] is state.inner.body.floats
    assert arrays[3] is state.inner.route.point
    assert len(arrays) == 6
    assert TREE.plain(state) == (4, True, (1, 2), 0.1)


def test_a_state_is_built_of_its_leaves():
    state = world()
    leaves = TREE.leaves(state)
    again = TREE.build(leaves)
    assert TREE.plain(again) == TREE.plain(state)
    assert [type(value) for value in TREE.plain(again)] == [int, bool, tuple, float]
    for before, after in zip(TREE.arrays(state), TREE.arrays(again), strict=True):
        assert before is not after
        assert not after.flags.writeable
        assert after.flags.c_contiguous
        np.testing.assert_array_equal(before, after)
    assert again.told == ""


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("inner.body.x", np.zeros(3)),
        ("inner.body.x", np.zeros(())),
        ("inner.body.x", np.zeros((0, 10**12))),
        ("inner.body.wheel", np.zeros((3, 2))),
        ("inner.body.id", np.zeros((2, 1), np.int64)),
        ("tick", np.zeros(1, np.int64)),
        ("ids", np.zeros((1, 1), np.int64)),
    ],
)
def test_leaves_that_do_not_belong_together_are_refused_by_name(path, value):
    with pytest.raises(ValueError, match=r"inner\.body|tick|ids"):
        TREE.build(TREE.leaves(world()) | {path: value})


def test_what_is_no_state_is_refused_when_the_tree_is_made():
    @dataclass
    class Bad:
        names: list[int]

    with pytest.raises(TypeError, match="names: "):
        StateTree(Bad)
