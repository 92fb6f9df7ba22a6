"""Scenario files to records and back."""

from __future__ import annotations

from dorosim.scenario.morai.codec import encode_object, json_from_record, record_from_file
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
    return record_from_file(ScenarioFile, "scenario", LARGEST_FILE, name, content)


def scenario_bytes(scenario: ScenarioFile) -> bytes:
    """The file of a scenario, in which all that was read and not changed is as it was (see `json_from_record`)."""
    return encode_object(json_from_record(scenario))
