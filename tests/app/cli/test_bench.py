"""Figures that cannot be had here are named with the reason, and the others go on."""

from __future__ import annotations

import sys

import pytest

from dorosim.app.cli import bench


def test_a_subject_that_needs_what_is_not_installed_says_what_that_is(monkeypatch):
    for name in [name for name in sys.modules if name.startswith(("dorosim.gym", "tools.bench.gym"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    (figure,) = bench._figures_of("gym")
    assert figure.value is None
    assert figure.reached
    assert "pip install 'dorosim[gym]'" in figure.detail


def test_a_fault_of_a_subject_itself_is_none_of_the_installation(monkeypatch):
    monkeypatch.delitem(sys.modules, "tools.bench.solid", raising=False)
    monkeypatch.setitem(sys.modules, "dorosim.world.step", None)
    with pytest.raises(ImportError, match=r"dorosim\.world\.step"):
        list(bench._figures_of("solid"))
