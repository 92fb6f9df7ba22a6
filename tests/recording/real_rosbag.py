"""ROS 1's own rosbag, where it is installed."""

from __future__ import annotations

import os
import shutil
import subprocess

ROSBAG = shutil.which("rosbag", path="/usr/bin:/bin")


def real_rosbag(*args) -> str:
    """What the real rosbag says."""
    env = {"PATH": "/usr/bin:/bin", "HOME": os.environ.get("HOME", "/tmp"), "ROS_MASTER_URI": "http://127.0.0.1:1"}
    run = subprocess.run(
        [str(ROSBAG), *map(str, args)], capture_output=True, text=True, timeout=60, env=env, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout
