"""The reference pages are those that the code makes, and cover all of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from dorosim.app.reference import pages
from dorosim.wire.udp.catalogue import CATALOGUE
from dorosim.world.vehicle.catalogue import VEHICLE_MODELS

FOLDER = Path(__file__).parents[2] / "docs" / "reference"


@pytest.mark.parametrize("name", pages())
def test_a_page_is_up_to_date(name):
    assert (FOLDER / name).read_text(encoding="utf-8") == pages()[name], "run make docs"


def test_every_message_field_and_vehicle_is_in_the_reference():
    messages, vehicles = pages()["udp-messages.md"], pages()["vehicles.md"]
    for message in CATALOGUE:
        assert f"### {message.__name__}" in messages
        assert all(f"`{field.name}`" in messages for field in message.table.fields)
    assert all(f"`{model.name}`" in vehicles for model in VEHICLE_MODELS)
