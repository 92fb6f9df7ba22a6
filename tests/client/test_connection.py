"""What happens when nobody answers, when somebody else does, when the simulator refuses, and when it comes back."""

from __future__ import annotations

import asyncio
import socket
import time

import grpc
import numpy as np
import pytest

from dorosim.client import (
    AsyncClient,
    Client,
    ClientError,
    NoAnswerError,
    NoServerError,
    RefusedError,
    connect,
    connect_async,
)
from dorosim.client.error import is_worth_retrying
from tests.client.fake import FakeServer, Later, everybody, fake_server, frame
from tests.port import free_port


@pytest.fixture
def fake():
    with fake_server() as made:
        yield made


def test_no_server_is_told_with_the_address_and_what_to_do():
    port = free_port()
    with pytest.raises(NoServerError, match=rf"127\.0\.0\.1:{port}.*dorosim run"):
        connect(f"127.0.0.1:{port}", timeout=0.3)
    with pytest.raises(NoServerError, match="dorosim run"):
        asyncio.run(connect_async(f"127.0.0.1:{port}", timeout=0.3))


@pytest.mark.parametrize("address", ["localhost", "", "127.0.0.1:", "127.0.0.1:99999", ":7789", "a:b"])
def test_what_is_no_address_is_told(address):
    with pytest.raises(ClientError, match="HOST:PORT"):
        Client(address)


def test_a_port_that_speaks_something_else_is_told():
    with socket.create_server(("127.0.0.1", 0)) as web:

        def answer() -> None:
            peer, _ = web.accept()
            with peer:
                peer.recv(100)
                peer.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n" * 4)

        later = Later(0.0, answer)
        with pytest.raises(NoServerError, match="gRPC"):
            connect(f"127.0.0.1:{web.getsockname()[1]}", timeout=20.0)
        later.join()


def test_a_simulator_that_is_slow_to_answer_is_asked_again():
    """As gRPC tells of one whose machine is busy: it has taken the connection, and said nothing yet."""
    slow = "failed to connect to all addresses; last error: UNKNOWN: connection attempt timed out before receiving"
    assert is_worth_retrying(grpc.StatusCode.UNAVAILABLE, f"{slow} SETTINGS frame", reads=True)
    other = "failed to connect to all addresses; last error: INTERNAL: Failed parsing HTTP/2 (Expected SETTINGS frame)"
    assert not is_worth_retrying(grpc.StatusCode.UNAVAILABLE, other, reads=True)


def test_a_simulator_that_is_known_to_have_ended_is_not_asked_again():
    with Client(f"127.0.0.1:{free_port()}", timeout=60.0) as client:
        client.goes_on = lambda: False
        begun = time.monotonic()
        with pytest.raises(NoServerError, match="no simulator answers"):
            client.time()
    assert time.monotonic() - begun < 20.0


def test_a_refusal_tells_the_simulators_reason(fake):
    fake.answers = {"Actor/DestroyActor": {"description": "there is no actor 9"}}
    with Client(fake.address) as client, pytest.raises(RefusedError, match="there is no actor 9"):
        client.destroy(9)


def test_a_status_with_a_sentence_is_a_refusal(fake):
    fake.failures["Actor/SetVelocity"] = [(grpc.StatusCode.INVALID_ARGUMENT, "velocity is not a number")]
    with Client(fake.address) as client, pytest.raises(RefusedError, match="velocity is not a number"):
        client.set_speed("Ego", float("nan"))


def test_arguments_that_cannot_be_sent_are_refused_before_they_are(fake):
    with Client(fake.address) as client:
        with pytest.raises(RefusedError, match="no weather 'hail'; use sunny, cloudy"):
            client.set_weather("hail")
        with pytest.raises(RefusedError, match="SetRoadFriction"):
            client.set_friction("wet")
    assert not fake.asked


def test_an_answer_that_does_not_come_in_time_is_told(fake):
    fake.delay = 4.0
    with Client(fake.address, timeout=1.5) as client, pytest.raises(NoAnswerError, match=r"1\.5 s.*synchronous"):
        client.hour()


def test_a_call_that_found_no_run_is_made_again(fake):
    busy = (grpc.StatusCode.UNAVAILABLE, "no run is there just now; ask again")
    fake.failures["Actor/ControlVehicle"] = [busy, busy]
    with Client(fake.address) as client:
        client.drive(accelerator=0.1)
    assert [name for name, _ in fake.asked] == ["Actor/ControlVehicle"] * 3


def test_a_command_that_may_have_been_done_is_not_made_again_and_a_reading_is(fake):
    lost = (grpc.StatusCode.UNAVAILABLE, "Socket closed")
    fake.failures = {"Actor/ControlVehicle": [lost], "Sky/GetSky": [lost]}
    with Client(fake.address) as client:
        assert client.hour() == 0
        with pytest.raises(NoServerError):
            client.drive()
    assert [name for name, _ in fake.asked] == ["Sky/GetSky"] * 2 + ["Actor/ControlVehicle"]


def test_a_client_goes_on_when_the_simulator_comes_back():
    first = FakeServer(free_port())
    with Client(first.address, timeout=60.0) as client:
        assert client.hour() == 0
        first.close()
        later = Later(0.5, lambda: FakeServer(first.port))
        client.drive(accelerator=0.5)
        second = later.join()
        assert second.last("Actor/ControlVehicle")["throttle"] == 0.5
        second.close()


def test_a_closed_client_says_so(fake):
    client = connect(fake.address)
    client.close()
    with pytest.raises(ClientError, match="closed"):
        client.hour()
    with pytest.raises(ClientError, match="closed"):
        next(client.states())


def test_a_stream_of_states_goes_on_after_the_connection_broke(fake):
    fake.frames = [everybody()]
    with Client(fake.address) as client:
        frames = client.states(50.0, columns=["id"], kinds=["vehicle"])
        assert [next(frames).tick for _ in range(3)] == [5, 5, 5]
        frames.close()
    assert fake.asked == [("Bulk/StreamStates", {"columns": ["id"], "kinds": ["vehicle"], "rate_hz": 50.0})] * 3


def test_a_stream_of_what_is_not_there_is_refused(fake):
    fake.failures["Bulk/StreamStates"] = [(grpc.StatusCode.INVALID_ARGUMENT, "there is no 'x'")]
    with Client(fake.address) as client, pytest.raises(RefusedError, match="there is no 'x'"):
        next(client.states(columns=["x"]))


def test_the_asyncio_stream_does_the_same(fake):
    fake.frames = [frame(1, id=[1]), frame(2, id=[1])]

    async def play() -> list[int]:
        ticks = []
        async with AsyncClient(fake.address) as client:
            async for states in client.states():
                ticks.append(states.tick)
                if len(ticks) == 3:
                    break
        return ticks

    assert asyncio.run(play()) == [1, 2, 1]


def test_synchronous_mode_and_recording_end_with_their_blocks_whatever_happens(fake):
    def fail() -> None:
        with Client(fake.address) as client, client.synchronous(0.1), client.recording("r"):
            client.tick(2)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    names = [name for name, _ in fake.asked]
    assert names == [
        "Simulation/SetSynchronousMode",
        "Simulation/SetResimRecordMode",
        "Simulation/Tick",
        "Simulation/SetResimRecordMode",
        "Simulation/SetSynchronousMode",
    ]
    assert fake.asked[3][1] == {"status": "RESIM_RECORD_STATUS_STOP"}
    assert fake.asked[4][1]["type"] == "SYNC_MODE_TYPE_TIME_MANAGEMENT"


def test_states_are_arrays_with_names_units_and_texts(fake):
    fake.answers = {"Bulk/GetStates": everybody()}
    with Client(fake.address) as client:
        states = client.all_states()
    assert states["position"].shape == (2, 3)
    assert states["id"].tolist() == [1, 7]
    assert states["kind"].tolist() == ["ego", "obstacle"]
    assert states["gear"].tolist() == ["D", ""]
    assert (states.row_of("Ego"), states.row_of(7), states.row_of("nobody")) == (0, 1, -1)
    table = states.structured()
    assert table["model"].tolist() == ["2016_Hyundai_Ioniq", "cone"]
    assert np.array_equal(table["position"], states["position"])
    with pytest.raises(KeyError):
        states["weight"]


def test_a_client_says_that_no_simulator_is_there():
    with pytest.raises(NoServerError):
        connect(f"127.0.0.1:{free_port()}", timeout=0.5)


def test_any_procedure_can_be_asked_and_one_that_is_not_there_is_told(fake):
    fake.answers = {"MoraiService/GetToLinks": {"res_list": [{"unique_id": "B"}]}}
    with Client(fake.address) as client:
        answer = client.ask("MoraiService/GetToLinks", unique_id="A")
        assert answer.res_list[0].unique_id == "B"
        assert fake.last("MoraiService/GetToLinks") == {"unique_id": "A"}
        with pytest.raises(RefusedError, match="MoraiService/GetToLinks"):
            client.ask("MoraiService/GetToLink")
        with pytest.raises(RefusedError, match=r"GetToLinks.*colour"):
            client.ask("MoraiService/GetToLinks", colour=1)
        with pytest.raises(RefusedError, match="streams"):
            client.ask("Bulk/StreamStates")


@pytest.mark.parametrize("address", ["localhost", "http://127.0.0.1:7789", "127.0.0.1:0", 7789])
def test_what_is_no_address_is_told_at_once(address):
    with pytest.raises(ClientError, match="is not a valid address; give HOST:PORT"):
        Client(address)


@pytest.mark.parametrize(
    ("act", "told"),
    [
        (lambda client: client.set_gear("Ego", "X"), "no gear 'X'; use P, R, N, D, M, L"),
        (lambda client: client.set_mode("Ego", "automatic"), "no mode 'automatic'; do you mean 'auto'?"),
        (lambda client: client.set_lamps("Ego", "blink"), "no turn signal 'blink'"),
        (lambda client: client.set_tire_fault("XX"), "no tyre 'XX'; use FL"),
        (lambda client: client.set_control_fault("throttle", "lost"), "no control 'throttle'; use accelerator"),
        (lambda client: client.set_control_fault("brake", "broken"), "no fault 'broken'"),
        (lambda client: client.add_sensor("sonar"), "no sensor 'sonar'; use camera"),
        (lambda client: client.neighbour_links("A", "above"), "no side 'above'; use left"),
        (lambda client: client.set_season(3), "no season 3; use winter"),
        (
            lambda client: client.place("Ego", ("a", 0.0)),
            r"\('a', 0.0\) is not a valid vector; give two or three numbers",
        ),
        (lambda client: client.spawn_obstacle(3.0), "3.0 is not a valid vector"),
        (lambda client: client.place("Ego", (0.0, 0.0), 90), r"90 rad is more than two turns.*math.radians\(90\)"),
        (lambda client: client.drive(steer=30.0), r"do not turn by 30 rad.*math.radians\(30\)"),
        (lambda client: client.steer(angle=-30.0), "do not turn by -30 rad"),
    ],
)
def test_words_and_units_that_nobody_can_mean_are_told_with_those_that_are_meant(fake, act, told):
    with Client(fake.address) as client, pytest.raises(RefusedError, match=told):
        act(client)
    assert fake.asked == []


def test_a_model_that_stands_for_another_one_is_warned_of(fake):
    note = "there is no obstacle 'cat'; 'box' stands for it"
    fake.answers = {
        "Actor/SpawnObstacle": {"status": "STATUS_CODE_SUCCESS", "description": note, "custom_message": "9"}
    }
    with Client(fake.address) as client, pytest.warns(UserWarning, match="'box' stands for it") as told:
        assert client.spawn_obstacle((0.0, 0.0), model="cat") == "9"
    assert told[0].filename == __file__


def test_a_tick_may_wait_for_others_for_longer_than_the_timeout(fake):
    fake.delay = 3.0
    with Client(fake.address, timeout=1.5) as client:
        assert client.tick().frame == 0
        with pytest.raises(NoAnswerError):
            client.version()
