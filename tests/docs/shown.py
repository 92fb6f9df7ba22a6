"""Blocks that are shown and not run, each with the reason; a test holds the table against the pages."""

from __future__ import annotations

from tests.docs.block import Block

SHOWN: dict[tuple[str, str], str] = {
    (
        "docs/explanation/openscenario.md",
        "@sequence()",
    ): "a part of a module; tests/scenario/openscenario/test_table.py holds the whole against the schemas",
    (
        "docs/how-to/learn.md",
        "python examples/learn_lane.py --steps 300000 --save lane.zip",
    ): "it needs Stable-Baselines3; tests/peers/test_learn.py runs it",
    (
        "docs/how-to/learn.md",
        "python examples/learn/lane_keeping.py --steps 4900000 --seed 0 --out lane",
    ): "it needs Stable-Baselines3; tests/peers/test_learn.py runs it",
    (
        "docs/how-to/learn.md",
        "python examples/learn/lane_keeping.py --evaluate examples/learn/lane.npz",
    ): "it needs Stable-Baselines3; tests/peers/test_learn.py runs it",
    (
        "docs/how-to/ci.md",
        "python -m pytest -p dorosim.testing examples/ci/test_drive.py",
    ): "the workflow has the same commands, which run",
    (
        "docs/explanation/performance.md",
        "dorosim bench codec",
    ): "it measures for ten seconds; tests/tools/bench runs the bench",
    (
        "docs/how-to/ci.md",
        "docker build --file examples/ci/Containerfile --tag dorosim .",
    ): "it downloads an image; test_ci.py reads the file",
    (
        "docs/how-to/troubleshooting.md",
        "docker run --rm -p 7789:7789 -p 8080:8080 -p 9093:9093/udp -v ./net.toml:/home/driver/net.toml dorosim \\",
    ): "it needs a container's image; test_ci.py reads the file that makes it",
    (
        "docs/how-to/grpc-stack.md",
        "grpcurl -plaintext 127.0.0.1:7789 list",
    ): "grpcurl is seldom there; the SDK asks the same below",
    (
        "docs/how-to/ros.md",
        "sudo apt install build-essential catkin ros-message-generation ros-message-runtime libgeometry-msgs-dev",
    ): "it installs packages of the system",
    (
        "docs/how-to/ros.md",
        "roslaunch rosbridge_server rosbridge_websocket.launch",
    ): "rosbridge is seldom there; tests/endpoint/ros stands in for it",
    (
        "docs/how-to/several-runs.md",
        "run 96e0509a, all ports 2000 on: DOROSIM_RUN=96e0509a leads programs to it",
    ): "each run has another id",
    (
        "docs/how-to/several-runs.md",
        "DOROSIM_RUN=96e0509a python examples/drive_lap.py",
    ): "each run has another id; tests/app/run/test_run_file.py connects by it",
    (
        "docs/how-to/several-runs.md",
        'connect(run="96e0509a")',
    ): "each run has another id; tests/app/run/test_run_file.py connects by it",
    (
        "docs/how-to/several-runs.md",
        "dorosim: error [port-in-use]: udp: 127.0.0.1:9093: is in use by python (process 14968); end that program, or"
        " give this run other ports: --ports auto, or --port-offset 1000",
    ): "it needs two runs on the same ports; tests/app/cli/test_cli.py holds the text",
    (
        "docs/how-to/scenario-stack.md",
        "dorosim scenario run examples/scenario/pedestrian.xosc --no-collision --ego ros --lockstep \\",
    ): "it needs ROS 1 with morai_msgs; tests/ros/test_scenario_stack.py runs it",
    (
        "docs/how-to/openscenario.md",
        "dorosim run --scenario cut-in.xosc --ego udp",
    ): "it runs until it is ended; tests/app/run/test_scenario_recording.py plays files in runs",
    (
        "docs/decisions/0011-snapshot-files.md",
        "dorosim snapshot 1\\n                   kind and version of the format",
    ): "the layout of a file; tests/recording holds it",
    (
        "examples/ci/github-actions.yml",
        "python -m pip install --constraint .dorosim/constraints.txt ./.dorosim pytest",
    ): "it installs from a package index; make test has done so",
}
"""Page and first line of a block, and why it is not run."""


def reason_for(block: Block) -> str:
    """Why a block is not run, or nothing."""
    return SHOWN.get((block.page, block.head.strip()), "")
