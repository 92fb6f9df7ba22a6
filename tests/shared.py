"""Material that lies beside the project and is not ours to ship: maps, samples, captures."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).parents[2] / "shared"


def shared(place: str) -> Path:
    """A file or folder of the shared material; the test is skipped where it is not there."""
    path = SHARED / place
    if not path.exists():
        pytest.skip(f"needs {path}, which is not part of the project")
    return path
