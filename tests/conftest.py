"""Fixtures that many tests use."""

from __future__ import annotations

import signal
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.system.rig import Rig, rig

# a busy machine takes longer; that is no flaw
settings.register_profile("dorosim", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("dorosim")

# a shell that runs the tests in the background has switched Ctrl-C off, and programs would inherit that
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN and threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def town(tmp_path: Path) -> Rig:
    """A run on the built-in town with one ego vehicle, driven tick by tick."""
    return rig(tmp_path)
