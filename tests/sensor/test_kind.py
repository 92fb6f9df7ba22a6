"""A kind of sensor has one row on each floor; a kind that lacks one is named, with the table that lacks it."""

from __future__ import annotations

from importlib import import_module

import pytest

from dorosim.bridge.sensor.kind import OUTPUTS
from dorosim.scenario.sensor_set.kind import ENTRIES
from dorosim.sensor.kind import DESCRIPTORS
from dorosim.world.mount.setting import SETTINGS, SensorKind

ROWS = {
    "AnySettings of world/mount/setting.py": SETTINGS,
    "DESCRIPTORS of sensor/kind.py": DESCRIPTORS,
    "ENTRIES of scenario/sensor_set/kind.py": ENTRIES,
    "OUTPUTS of bridge/sensor/kind.py": OUTPUTS,
}


def test_every_kind_has_a_row_on_each_floor():
    missing = [f"{table} has no {kind.name}" for kind in SensorKind for table, rows in ROWS.items() if kind not in rows]
    assert not missing, "; ".join(missing)


@pytest.mark.parametrize("kind", list(DESCRIPTORS))
def test_the_maker_of_each_kind_is_there(kind):
    module, _, name = DESCRIPTORS[kind].maker.partition(":")
    assert callable(getattr(import_module(module), name)), DESCRIPTORS[kind].maker


def test_no_two_kinds_share_a_list_a_port_or_a_topic():
    lists = [entry.list_key for entry in ENTRIES.values()]
    ports = [output.port for output in OUTPUTS.values() if output.port is not None]
    topics = [name for output in OUTPUTS.values() for row in output.topics for name in (row.key, row.topic)]
    for names in (lists, ports, topics):
        assert len(set(names)) == len(names)
