"""What the tests of ROS have in common: a small master and a node that is registered there (node_rig.py), a world with
a hub, and the embedded rosbridge server on it.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dorosim.endpoint.ros.rosbridge.server import RosbridgeServer
from tests.endpoint.ros.node_rig import master, run
from tests.endpoint.ros.stage import Stage, bridged, staged
from tests.endpoint.ros.websocket_peer import Client, client_of

__all__ = ("master", "run")


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with staged(tmp_path_factory.mktemp("ros")) as found:
        yield found


@pytest.fixture
def server(stage: Stage) -> Iterator[RosbridgeServer]:
    with bridged(stage) as found:
        stage.told.clear()
        yield found


@pytest.fixture
def client(server: RosbridgeServer) -> Iterator[Client]:
    with client_of(server) as found:
        yield found
