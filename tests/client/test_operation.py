"""What each operation asks of the server, in its units, and what it makes of the answer; both clients alike."""

from __future__ import annotations

import asyncio
import inspect
import math
from collections.abc import Callable
from typing import Any

import pytest

from dorosim.client import AsyncClient, Client
from tests.client.fake import everybody, fake_server
from tests.client.operation_case import CASES, DONE, TRUTH


def without_zeros(value: Any) -> Any:
    """Fields as JSON has them, without those that are at their default, which are not sent."""
    if isinstance(value, dict):
        rows = {name: without_zeros(one) for name, one in value.items()}
        return {name: one for name, one in rows.items() if one not in (0, 0.0, False, "", [])}
    if isinstance(value, list):
        return [without_zeros(one) for one in value]
    return value


def close_to(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: close_to(one) for name, one in value.items()}
    if isinstance(value, list):
        return [close_to(one) for one in value]
    return pytest.approx(value) if isinstance(value, float) else value


@pytest.fixture(scope="module")
def fake():
    with fake_server() as made:
        yield made


@pytest.fixture(scope="module")
def client(fake):
    with Client(fake.address, key="me", timeout=60.0) as made:
        yield made


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_an_operation_asks_what_it_should_and_reads_the_answer(fake, client, case):
    fake.answers = {case.asked: case.answer} if case.answer else {}
    result = getattr(client, case.name)(*case.args, **case.options)
    assert fake.asked[-1][0] == case.asked
    assert without_zeros(fake.asked[-1][1]) == close_to(without_zeros(case.request))
    assert (repr(result) if isinstance(case.result, str) and "(" in case.result else result) == (
        None if case.result is None and not isinstance(result, str) else case.result if case.result is not None else ""
    )


def test_both_clients_have_the_same_operations_with_the_same_arguments():
    def public(kind: type) -> dict[str, Callable[..., Any]]:
        return {name: getattr(kind, name) for name in dir(kind) if not name.startswith("_")}

    blocking, awaiting = public(Client), public(AsyncClient)
    assert set(blocking) == set(awaiting)
    for name, function in blocking.items():
        if callable(function):
            assert str(inspect.signature(function)).partition("->")[0] == str(
                inspect.signature(awaiting[name])
            ).partition("->")[0].replace("AsyncSensor", "Sensor"), name
            assert function.__doc__, name


def test_the_asyncio_client_does_the_same_when_it_is_awaited(fake):
    fake.answers = {"Actor/SpawnVehicle": DONE, "Sky/GetSky": {"time_of_day_s": 5 * 3600.0}}

    async def play() -> tuple[str, int]:
        async with AsyncClient(fake.address, key="me") as client:
            return await asyncio.gather(client.spawn_vehicle((1.0, 2.0)), client.hour())

    assert asyncio.run(play()) == ["9", 5]
    assert fake.last("Actor/SpawnVehicle")["spawn_info"]["actor_info"]["client_key"] == "me"


def test_ground_truth_comes_in_si(fake, client):
    fake.answers = {"Sensor/GetSensorData": {"ground_truth": {"data": [TRUTH]}}}
    (seen,) = client.ground_truth(3)
    assert (seen.id, seen.kind, seen.model) == ("4", "pedestrian", "man")
    assert seen.heading == pytest.approx(math.pi)
    assert seen.velocity == pytest.approx((-10.0, 0.0, 0.0))
    assert seen.size == pytest.approx((0.0, 0.0, 1.8))


def test_the_state_of_one_actor_is_found_by_id_and_by_name(fake, client):
    fake.answers = {"Bulk/GetStates": everybody()}
    ego, cone = client.state(), client.state(7)
    assert (ego.id, ego.kind, ego.model, ego.gear) == ("1", "ego", "2016_Hyundai_Ioniq", "D")
    assert (ego.position, ego.steer, ego.speed) == ((1.0, 2.0, 3.0), 0.2, pytest.approx(math.hypot(1.0, 2.0)))
    assert (cone.id, cone.kind, cone.gear) == ("7", "obstacle", "")
    assert math.isnan(cone.brake)
    assert client.time() == pytest.approx(0.05)


def test_help_shows_an_operation_with_its_arguments_and_its_text(client):
    assert "accelerator" in str(inspect.signature(client.drive))
    assert "self" not in str(inspect.signature(client.drive))
    assert client.drive.__doc__.startswith("Drive by the pedals.")
