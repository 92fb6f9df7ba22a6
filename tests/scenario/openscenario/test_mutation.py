"""Broken files of OpenSCENARIO: each is refused with its place, or becomes finite records, in bounded time."""

from __future__ import annotations

import math
from contextlib import suppress
from itertools import islice

import pytest

from dorosim.app.store.openscenario import FolderFiles
from dorosim.ground.error import InputError
from dorosim.scenario.openscenario.distribution import variations
from dorosim.scenario.openscenario.document import open_document
from dorosim.scenario.openscenario.plan import plan_of
from dorosim.scenario.openscenario.reference_check import walk
from tests.broken_file import survives
from tests.scenario.openscenario.mutation import mutated_scenario
from tests.scenario.openscenario.sample import MATERIAL

INFINITE = ("max_", "lower_limit", "upper_limit")


def originals():
    files = sorted(MATERIAL.rglob("*.xosc"))
    if not files:
        pytest.skip("needs the shared files of OpenSCENARIO")
    return [(path, path.read_bytes()) for path in files if path.stat().st_size < 40_000]


def use(path, content):
    """Read a file; whether it can be run."""
    try:
        reading = open_document(str(path), content, FolderFiles([MATERIAL])).read()
    except InputError as error:
        message = str(error)
        assert message.startswith(str(path))
        assert len(message) < 600
        return False
    for one in reading.findings:
        assert "\n" not in str(one)
        assert len(str(one)) < 1_500
    if reading.root is None or reading.errors:
        with pytest.raises(InputError):
            reading.whole()
        return False
    for record in walk(reading.root):
        for field in plan_of(type(record)).attributes.values():
            value = getattr(record, field.name)
            if isinstance(value, float) and not field.name.startswith(INFINITE):
                assert math.isfinite(value), (record, field.name)
    with suppress(InputError):
        distribution = reading.distribution()
        for number, one in enumerate(islice(variations(distribution), 3) if distribution else (), 1):
            assert one.number == number
    return True


def survivors(seeds):
    """How many broken copies can be run."""
    files = originals()

    def read(seed):
        path, original = files[seed % len(files)]
        return use(path, mutated_scenario(original, seed))

    return survives(seeds, read)


def test_broken_files():
    read = survivors(range(2_000))
    assert 200 < read < 1_800, "some can still be run, some not"


@pytest.mark.soak
def test_many_broken_files():
    survivors(range(10_000, 110_000))
