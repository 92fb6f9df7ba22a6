"""Fixtures that many tests use."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.system.rig import Rig, rig


@pytest.fixture
def town(tmp_path: Path) -> Rig:
    """A run on the built-in town with one ego vehicle, driven tick by tick."""
    return rig(tmp_path)
