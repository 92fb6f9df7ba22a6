"""Every field of every request about vehicles is used by a test, or listed as without effect."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dorosim.bridge.grpc.documented import ego, route
from dorosim.bridge.grpc.standard import actor, vehicle
from tests.bridge.grpc.stage import method_named

HERE = Path(__file__).parent
TESTS = ("test_documented_ego.py", "test_documented_route.py", "test_standard_vehicle.py", "test_standard_actor.py")
LISTED = {**ego.WITHOUT_EFFECT, **route.WITHOUT_EFFECT, **vehicle.WITHOUT_EFFECT, **actor.WITHOUT_EFFECT}
PROCEDURES = (*ego.EGO_PROCEDURES, *route.ROUTES, *vehicle.VEHICLES, *actor.ACTORS)


def fields_of(descriptor: Any) -> Iterator[Any]:
    """All fields of a message, and of those in it; what is within one without effect has none either."""
    for field in descriptor.fields:
        yield field
        if field.message_type is not None and f"{field.containing_type.name}.{field.name}" not in LISTED:
            yield from fields_of(field.message_type)


@pytest.mark.parametrize("name", PROCEDURES)
def test_every_field_is_used_or_listed(name):
    if name in LISTED:
        return
    words = set(re.findall(r"\w+", " ".join((HERE / test).read_text() for test in TESTS)))
    missing = [
        f"{field.containing_type.name}.{field.name}"
        for field in fields_of(method_named(name).request.DESCRIPTOR)
        if field.name not in words and f"{field.containing_type.name}.{field.name}" not in LISTED
    ]
    assert not missing


def test_what_is_listed_exists():
    fields = {
        f"{field.containing_type.name}.{field.name}"
        for name in PROCEDURES
        for field in fields_of(method_named(name).request.DESCRIPTOR)
    }
    for key, reason in LISTED.items():
        assert key in PROCEDURES or key in fields or key.rpartition(".")[0] in fields, key
        assert reason
