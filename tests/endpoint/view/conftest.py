"""A page for each test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.endpoint.view.stage import Page
from tests.endpoint.view.stage import page as opened


@pytest.fixture
def page() -> Iterator[Page]:
    """A page whose panels the test adds."""
    with opened() as made:
        yield made
