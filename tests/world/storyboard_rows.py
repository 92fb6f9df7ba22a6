"""Rows of a storyboard in a snapshot that has none."""

from __future__ import annotations

import numpy as np

from dorosim.world.snapshot import STATE, Snapshot
from dorosim.world.storyboard.state import packed


def with_storyboard(now: Snapshot) -> Snapshot:
    """A snapshot with a row in each table of the storyboard."""
    leaves = STATE.leaves(now)
    board = {path: leaf for path, leaf in leaves.items() if path.startswith("storyboard.")}
    tables = {path: np.insert(leaf, 0, 0, axis=-1) for path, leaf in board.items() if STATE.leaf[path].table}
    first, text = packed(["red"])
    outside_first, outside = packed(["level", "3"])
    texts = {"text_first": first, "text": text, "outside_first": outside_first, "outside": outside}
    told = {f"storyboard.{name}": leaf for name, leaf in texts.items()}
    return STATE.build(leaves | tables | told | {"storyboard.started": np.array(0)})
