"""Names lead to the models of people."""

from __future__ import annotations

import pytest

from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS, pedestrian_model_row


@pytest.mark.parametrize(
    ("name", "model", "exact"),
    [
        ("adult_male", "adult_male", True),
        ("Adult_Female", "adult_female", True),
        ("WomanSuit03", "adult_female", False),
        ("Kid_boy_1", "child", False),
        ("Person", "adult_male", False),
        ("", "adult_male", False),
        ("whelchair", "wheelchair", False),
    ],
)
def test_a_name_leads_to_a_model_of_its_family(name, model, exact):
    row, same = pedestrian_model_row(name)
    assert (PEDESTRIAN_MODELS[row].name, same) == (model, exact)
