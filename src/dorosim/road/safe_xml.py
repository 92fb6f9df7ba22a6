"""How XML of others is parsed."""

from __future__ import annotations

from typing import Any

SAFE_XML: dict[str, Any] = {
    "resolve_entities": False,
    "no_network": True,
    "huge_tree": False,
    "load_dtd": False,
    "dtd_validation": False,
    "remove_comments": True,
    "remove_pis": True,
}
"""Options of lxml's parsers: no entity is expanded, nothing is opened, and libxml2's limits of depth and size hold."""
