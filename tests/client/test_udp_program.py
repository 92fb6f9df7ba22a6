"""The UDP side of the SDK drives and reads a simulator in a process of its own, beside the gRPC side."""

from __future__ import annotations

import pytest

from dorosim.client import State, UdpPorts, UdpVehicle, connect
from tests.client.program import program
from tests.port import free_port
from tests.timing import wait_for


def state_at_rest(car: UdpVehicle) -> State:
    """The state of a vehicle in a paused run: the first that has the time of the one before."""
    before = car.state(wait=True)
    while (state := car.state(wait=True)).time != before.time:
        before = state
    return state


def test_what_udp_commands_and_tells_is_what_grpc_tells(tmp_path):
    port = free_port()
    ports = UdpPorts(control=port, lamps=port, set_light=port, status=0, objects=0, collisions=0, light=0)
    with UdpVehicle(ports=ports, timeout=60.0) as car:
        rows = [f'[[listen]]\naddress = "127.0.0.1:{port}"\n']
        for message, to in (("EgoVehicleStatus", car.ports.status), ("ObjectInfo", car.ports.objects)):
            rows.append(f'[[send]]\nmessage = "{message}"\nto = "127.0.0.1:{to}"\n')
        with program(tmp_path, network="\n".join(rows)) as address, connect(address) as client:
            x, y, z = client.state().position
            cone = client.spawn_obstacle((x, y + 8.0, z), model="cone")
            car.drive(accelerator=0.5, steer=0.1)
            wait_for(lambda: client.state().speed > 1.5)
            seen = car.objects(wait=True)
            client.pause()
            known = client.state()
            told = state_at_rest(car)
            client.resume()
            car.drive(brake=1.0)
    assert known.speed > 1.0
    assert told.position == pytest.approx(known.position, abs=1e-3)
    assert told.velocity == pytest.approx(known.velocity, abs=1e-3)
    assert told.rotation[2] == pytest.approx(known.rotation[2], abs=1e-4)
    assert known.steer == pytest.approx(0.1, abs=0.01)
    assert (told.steer, told.accelerator) == pytest.approx((known.steer, known.accelerator), abs=1e-4)
    assert [one.id for one in seen] == [cone]
    assert seen[0].kind == "obstacle"
