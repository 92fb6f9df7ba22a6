"""Blocks that are shown and not run, each with the reason; a test holds the table against the pages."""

from __future__ import annotations

from tests.docs.block import Block

SHOWN: dict[tuple[str, str], str] = {
    ("CONTRIBUTING.md", "make test"): "they are the checks themselves, and what takes minutes",
}
"""Page and first line of a block, and why it is not run."""


def reason_for(block: Block) -> str:
    """Why a block is not run, or nothing."""
    return SHOWN.get((block.page, block.head.strip()), "")
