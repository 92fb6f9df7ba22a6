"""What the list of commands says that need no kernels but those of a run's start is so."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from dorosim.bridge.first_start import PLAIN


def test_commands_of_the_list_use_no_kernel_that_a_run_of_an_ego_alone_does_not(tmp_path):
    command = [sys.executable, "-m", "tests.app.kernel_probe", str(tmp_path)]
    # a plan of traffic that was kept needs none
    surroundings = os.environ | {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, env=surroundings)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert {name: found[name] for name in (kind.__name__ for kind in PLAIN)} == {kind.__name__: 0 for kind in PLAIN}
    assert found["CreateNpc"] > 0, "it would be seen"
