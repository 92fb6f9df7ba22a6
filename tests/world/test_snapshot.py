"""The digest covers all that a Snapshot holds."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from dorosim.world.snapshot import STATE, STATE_FIELDS, Outcome, Snapshot
from tests.system.living_world import turn
from tests.system.rig import Rig
from tests.world.storyboard_rows import with_storyboard


@pytest.fixture
def full(town: Rig) -> Snapshot:
    """A snapshot without an empty table."""
    turn(town, 120)
    full = with_storyboard(town.now)
    assert [path for path, leaf in STATE.leaves(full).items() if not leaf.size] == []
    return full


def test_the_smallest_change_of_any_leaf_changes_the_digest(full):
    leaves = STATE.leaves(full)
    digests = {full.digest(), STATE.build(leaves).digest()}
    assert len(digests) == 1
    for path, leaf in leaves.items():
        changed = leaf.copy()
        last = leaf.flat[-1]
        nearest = {"f": np.nextafter(last, 0.0 if last else 1.0), "i": last + 1, "b": not last, "u": not last}
        changed.flat[-1] = nearest[leaf.dtype.kind]
        digests.add(STATE.build(leaves | {path: changed}).digest())
    assert len(digests) == 1 + len(leaves)


def test_an_empty_storyboard_does_not_count(town):
    told = STATE.build(STATE.leaves(town.now) | {"storyboard.transitions": np.array(7)})
    assert told.digest() == town.now.digest()
    assert with_storyboard(town.now).digest() != town.now.digest()


def test_a_row_more_in_any_table_changes_the_digest(town):
    now = with_storyboard(town.now)
    leaves = STATE.leaves(now)
    digests = {now.digest()}
    for table in STATE.tables:
        columns = [path for path, leaf in STATE.leaf.items() if leaf.table == table]
        longer = {path: np.insert(leaves[path], 0, 0, axis=-1) for path in columns}
        digests.add(STATE.build(leaves | longer).digest())
    assert len(digests) == 1 + len(STATE.tables)


def test_what_became_of_commands_is_no_state(town):
    told = Snapshot(**{name: getattr(town.now, name) for name in STATE_FIELDS} | {"outcomes": (Outcome("no"),)})
    assert told.refusals == ("no",)
    assert told.digest() == town.now.digest()
    assert not any(path.startswith("outcomes") for path in STATE.leaf)


def test_a_snapshot_crosses_to_another_process(town):
    turned = pickle.loads(pickle.dumps(town.now))
    assert turned.digest() == town.now.digest()
    with pytest.raises(FrozenInstanceError):
        turned.tick = 1


def test_a_state_of_many_vehicles_is_hashed_in_parts_and_to_the_same_end(full, monkeypatch):
    whole = full.digest()
    monkeypatch.setattr("dorosim.world.snapshot.MAX_JOINED_ROWS", 0)
    assert full.digest() == whole
