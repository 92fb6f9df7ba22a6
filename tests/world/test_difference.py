"""Differences are told by actor and column, and there are some exactly if the digests differ."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.ground.unit import NANOSECOND
from dorosim.world.actor.command import RemoveActor
from dorosim.world.command import Source
from dorosim.world.fault.table import FaultTable
from dorosim.world.snapshot import EGO, NO_ACTOR, STATE, Snapshot
from dorosim.world.snapshot_diff import Difference, differences
from tests.system.living_world import CRUISER, FIRST_NPC, turn
from tests.system.rig import rig
from tests.world.storyboard_rows import with_storyboard


@pytest.fixture(scope="module")
def full(tmp_path_factory) -> Snapshot:
    run = rig(tmp_path_factory.mktemp("data"))
    turn(run, 120)
    return with_storyboard(run.now)


def _unit_of(path: str) -> str:
    unit = STATE.leaf[path].unit
    return unit.symbol if unit is NANOSECOND else unit.si_symbol


def test_equal_states_have_no_differences(full):
    assert differences(full, full) == []
    assert differences(full, STATE.build(STATE.leaves(full))) == []


def test_one_bit_is_one_difference_at_its_place(full):
    leaves = STATE.leaves(full)
    changed, expected = {}, {}
    for path, leaf in leaves.items():
        leaf_of = STATE.leaf[path]
        if leaf_of.table and path.rpartition(".")[2] in STATE.tables[leaf_of.table].key:
            continue
        changed[path] = leaf.copy()
        last = leaf.flat[-1]
        nearest = {"f": np.nextafter(last, 0.0 if last else 1.0), "i": last + 1, "b": not last, "u": not last}
        changed[path].flat[-1] = nearest[leaf.dtype.kind]
        expected[path] = (last, changed[path].flat[-1], _unit_of(path))
    found = differences(full, STATE.build(leaves | changed))
    assert len(found) == len(expected) > 300
    assert {one.place.partition("[")[0]: (one.left, one.right, one.unit) for one in found} == expected


def test_zeros_of_both_signs_and_numbers_that_are_none_are_told_apart(full):
    leaves = STATE.leaves(full)
    x = leaves["vehicle.x"].copy()
    x[:] = 0.0
    zero, nan = (STATE.build(leaves | {"vehicle.x": x * sign}) for sign in (1.0, np.nan))
    assert len(differences(zero, STATE.build(leaves | {"vehicle.x": -x}))) == len(x)
    assert len(differences(zero, nan)) == len(x)
    assert differences(nan, nan) == []


def test_actors_are_matched_by_their_ids(town):
    turn(town, 40)
    before = town.now
    town.loop.put(Source.PEER, RemoveActor(FIRST_NPC + 3))
    town.loop.put(Source.PEER, RemoveActor(CRUISER))
    now = town.turn(1)
    found = differences(before, now)
    assert Difference(FIRST_NPC + 3, "traffic", "there", None) in found
    assert Difference(CRUISER, "vehicle", "there", None) in found
    assert not any(one.actor == FIRST_NPC + 5 and one.place == "traffic.id" for one in found)
    assert [one.actor for one in found] == sorted(one.actor for one in found)
    # rows that have no ids of their own go with those of their vehicles
    assert not any(one.place.startswith(("parameter", "trajectory")) for one in found)
    assert Difference(FIRST_NPC + 3, "traffic", None, "there") in differences(now, before)


def test_what_has_no_id_of_its_own_is_told_by_its_vehicle(full):
    leaves = STATE.leaves(full)
    mass, points = leaves["parameter.mass"].copy(), leaves["trajectory.points"].copy()
    mass[1] += 5.0
    points[2, 3, 0] += 1.0
    found = differences(full, STATE.build(leaves | {"parameter.mass": mass, "trajectory.points": points}))
    assert [(one.actor, one.place) for one in found] == [(2, "parameter.mass"), (3, "trajectory.points[3][0]")]


def test_faults_are_told_apart_by_place_and_kind(full):
    faults = full.fault
    assert len(faults) == 3
    longer = FaultTable(faults.floats, faults.ints.copy())
    longer.end[0] += 1
    found = differences(full, STATE.build(STATE.leaves(full) | {"fault.end": longer.end}))
    assert [(one.actor, one.place) for one in found] == [(EGO, "fault.end[0, 4, 102]")]
    fewer = {path: leaf[..., 1:] for path, leaf in STATE.leaves(full).items() if path.startswith("fault.")}
    (missing,) = differences(full, STATE.build(STATE.leaves(full) | fewer))
    assert missing == Difference(EGO, "fault[0, 4, 102]", "there", None)


def test_tables_that_belong_to_nobody_come_first(full):
    leaves = STATE.leaves(full)
    walk = leaves["signal.light.walk"].copy()
    walk[7] += 1
    found = differences(full, STATE.build(leaves | {"signal.light.walk": walk, "ghost.x": leaves["ghost.x"] + 1.0}))
    assert [(one.actor, one.place) for one in found] == [
        (NO_ACTOR, "signal.light.walk[7]"),
        *((actor, "ghost.x") for actor in full.ghost.id.tolist()),
    ]


def test_rows_in_another_order_are_a_difference(full):
    leaves = STATE.leaves(full)
    turned = {path: leaf[..., ::-1] for path, leaf in leaves.items() if path.startswith("fault.")}
    (found,) = differences(full, STATE.build(leaves | turned))
    assert found.place == "fault[order of rows]"


def test_whole_numbers_of_nanoseconds_say_so(full):
    later = STATE.build(STATE.leaves(full) | {"time": np.array(full.time + 1)})
    (told,) = differences(full, later)
    assert (told.place, int(told.right - told.left), told.unit) == ("time", 1, "ns")
    assert STATE.leaf["contact.begin"].unit.symbol == STATE.leaf["signal.programme.duration"].unit.symbol == "ns"
