"""Scenario files to records and back."""

from __future__ import annotations

from dorosim.ground.error import InputError
from dorosim.scenario.morai.codec import decode_object, encode_object, fields_of, json_from_record, record_from_json
from dorosim.scenario.morai.record import ScenarioFile

LARGEST_FILE = 1 << 24
"""A file of more bytes is taken for a mistake, or for malice."""


def read_scenario(name: str, content: bytes) -> ScenarioFile:
    """A scenario file.

    Args:
        name: of the file, as messages shall name it.
        content: its bytes: JSON in UTF-8, with or without a byte order mark.

    Raises:
        InputError: the file is broken; it names line and column, or the key path.
    """
    if len(content) > LARGEST_FILE:
        problem = f"it has more than {LARGEST_FILE >> 20} MiB"
        raise InputError(name, "", problem, "choose a file that MORAI SIM or dorosim saved as a scenario")
    value = decode_object(name, content)
    keys = [field.key for field in fields_of(ScenarioFile)]
    if not any(key in value for key in keys if key != "version"):
        cure = "choose a file that MORAI SIM or dorosim saved as a scenario"
        raise InputError(name, "", f"this is no scenario: it has none of {', '.join(keys[1:5])}, ...", cure)
    return record_from_json(ScenarioFile, value, name, "")


def scenario_bytes(scenario: ScenarioFile) -> bytes:
    """The file of a scenario, in which all that was read and not changed is as it was (see `json_from_record`)."""
    return encode_object(json_from_record(scenario))
