"""What is said to have no effect stands in the messages: a field by its path, or a procedure."""

from __future__ import annotations

import pytest

from dorosim.bridge.grpc.documented import people as documented_people
from dorosim.bridge.grpc.documented import sensor as documented_sensor
from dorosim.bridge.grpc.standard import people as standard_people
from dorosim.bridge.grpc.standard import sensor as standard_sensor
from dorosim.wire.grpc.descriptor import api_of, file_names, pool
from tests.bridge.grpc.stage import method_named

MODULES = {
    "documented": (documented_people, documented_sensor),
    "standard": (standard_people, standard_sensor),
}
ROWS = [(api, key, why) for api, group in MODULES.items() for one in group for key, why in one.WITHOUT_EFFECT.items()]


def message_named(api: str, name: str):
    """The message of an API by its short name."""
    files = [pool().FindFileByName(file) for file in file_names()]
    (found,) = [
        file.message_types_by_name[name]
        for file in files
        if name in file.message_types_by_name and api_of(f"{file.package}.{name}") == api
    ]
    return found


@pytest.mark.parametrize(("api", "key", "why"), ROWS, ids=[key for _, key, _ in ROWS])
def test_it_names_a_field_or_a_procedure_and_says_why(api, key, why):
    start, *path = key.split(".")
    at = method_named(start).request.DESCRIPTOR if "/" in start else message_named(api, start)
    for part in path:
        at = at.fields_by_name[part].message_type or at
    assert len(why) > 10
    assert path or "/" in key
