"""A run is ended by a signal from its first moment on, also one that a shell has started in the background."""

from __future__ import annotations

import ctypes
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dorosim.app.cli.exit_code import ExitCode
from dorosim.app.run.stop_signal import StopSignals
from tests.loaded import COMMAND
from tests.timing import wait_for

STATUS = {signal.SIGINT: ExitCode.INTERRUPTED, signal.SIGTERM: ExitCode.OK}


def _ignore() -> None:
    """As shells do for what has a & behind it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def takes(process: subprocess.Popen[str], number: int) -> bool:
    """Whether a process has a handler for a signal, as Linux tells."""
    caught = re.search(r"SigCgt:\s*(\w+)", Path(f"/proc/{process.pid}/status").read_text())
    return bool(int(caught[1], 16) >> (number - 1) & 1)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
@pytest.mark.parametrize("number", STATUS)
def test_a_run_in_the_background_of_a_script_ends_while_it_starts(tmp_path, number):
    (tmp_path / "net.toml").write_text("listen = []\nsend = []\n")
    options = ("--network", tmp_path / "net.toml", "--data", tmp_path, "--ros-server", "off", "--grpc", "off")
    with subprocess.Popen(
        [*COMMAND, "run", "--json", "--no-view", "--duration", "600", *map(str, options)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_ignore,  # noqa: PLW1509 -- one call of the system, which takes no lock
    ) as run:
        deadline = time.monotonic() + 90.0
        while not takes(run, number):
            assert time.monotonic() < deadline
            time.sleep(0.002)
        run.send_signal(number)
        out, err = run.communicate(timeout=90.0)
    assert run.returncode == STATUS[number]
    assert out == "", "it has ended before it was ready"
    assert "Traceback" not in err


@pytest.mark.parametrize(("number", "raised"), [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, SystemExit)])
def test_a_signal_whose_exception_a_library_swallows_is_not_lost(number, raised):
    before = signal.getsignal(number)
    with StopSignals() as signals:
        with pytest.raises(raised):
            os.kill(os.getpid(), number)
        with pytest.raises(raised):
            signals.lead_to(lambda: None)
    assert signal.getsignal(number) is before


def test_a_signal_that_comes_in_a_callback_of_a_compiler_ends_the_program():
    callback = ctypes.CFUNCTYPE(None)(lambda: os.kill(os.getpid(), signal.SIGTERM))
    with StopSignals():
        callback()
        with pytest.raises(SystemExit):
            wait_for(lambda: False)


def test_a_run_that_goes_on_is_stopped_and_not_interrupted():
    stopped = []
    with StopSignals() as signals:
        signals.lead_to(lambda: stopped.append(True))
        os.kill(os.getpid(), signal.SIGINT)
        assert stopped == [True]
        assert signal.getsignal(signal.SIGINT) is signal.SIG_DFL, "a second one ends it at once"
