"""The moving pictures at the head of README: small, moving, and kept by the tool in a quality that fits."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from PIL import Image, ImageSequence

from tests.source import ROOT

moving = pytest.importorskip("tools.figures.moving", reason="the extra test is not installed")


def frames(path):
    with Image.open(path) as opened:
        return [np.asarray(one.convert("RGB"), np.int16) for one in ImageSequence.Iterator(opened)]


@pytest.mark.parametrize("name", ["page", "camera"])
def test_what_readme_shows_is_small_and_moves(name):
    path = ROOT / "docs" / "images" / f"{name}.webp"
    assert f"docs/images/{name}.webp" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert path.stat().st_size < moving.LARGEST
    shown = frames(path)
    assert len(shown) > 0.9 * moving.SHOWN_S * moving.RATE, "equal pictures are kept once"
    assert all(one.shape[1] == moving.WIDTH for one in shown)
    moved = [np.abs(after - before).max() > 40 for before, after in pairwise(shown)]
    assert np.mean(moved) > 0.9


def test_pictures_that_fit_in_no_quality_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(moving, "LARGEST", 100)
    noise = np.random.default_rng(1).integers(0, 256, (2, 32, 32, 3), np.uint8)
    with pytest.raises(ValueError, match="show less"):
        moving.keep(tmp_path / "large.webp", [Image.fromarray(one) for one in noise])
