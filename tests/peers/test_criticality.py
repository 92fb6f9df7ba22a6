"""The vectors of criticality are what commonroad-crime says."""

from __future__ import annotations

import pytest

from tests.peers.environment import CRITICALITY, run
from tests.scenario.criterion.case import as_json, vectors

pytestmark = pytest.mark.peer


def test_the_vectors_are_those_of_the_library(tmp_path):
    path = tmp_path / "cases.json"
    path.write_text(as_json())
    found = run(CRITICALITY, "crime_view.py", path)
    assert found.keys() == vectors().keys()
    for name, measures in vectors().items():
        assert found[name] == pytest.approx(measures, abs=1e-9), name
