"""States of everybody over a real socket: once, tick by tick, at a rate; and streams that end when nobody listens."""

from __future__ import annotations

import time
from itertools import islice, pairwise

import pytest

from dorosim.client import Client, ClientError, RefusedError
from dorosim.endpoint.grpc.server import GrpcLimits
from tests.endpoint.grpc.peer import served
from tests.timing import wait_for


@pytest.fixture(scope="module")
def peer(tmp_path_factory):
    with served(tmp_path_factory.mktemp("bulk"), limits=GrpcLimits(streams=2)) as made:
        yield made


@pytest.fixture
def client(peer):
    with Client(f"127.0.0.1:{peer.server.port}") as made:
        yield made


def test_the_present_states_are_those_of_the_run(peer, client):
    before = peer.loop.now.tick
    states = client.all_states()
    after = peer.loop.now.tick
    assert states["kind"].tolist() == ["ego"]
    assert states["name"].tolist() == ["Ego"]
    assert states["position"][0] == pytest.approx([column[0] for column in peer.loop.now.vehicle.floats[:3]], abs=0.1)
    assert before <= states.tick <= after
    assert client.state().id == "1"


def test_every_tick_comes_once_and_in_order(client):
    """Few are skipped, the run being paced: on a busy machine one looks until that is so."""
    frames = client.states(columns=["id"])

    def skipped() -> int:
        ticks = [states.tick for states in islice(frames, 30)]
        assert ticks == sorted(set(ticks))
        return ticks[-1] - ticks[0] - 29

    wait_for(lambda: skipped() < 270)
    frames.close()


def test_frames_come_at_the_rate_of_simulated_time(client):
    """Once at least: whoever wakes late on a busy machine gets the present tick."""
    frames = client.states(20.0, columns=["id"])

    def keeps_the_rate() -> bool:
        times = [states.time for states in islice(frames, 6)]
        steps = [b - a for a, b in pairwise(times)]
        assert times[-1] - times[0] > 0.19, "five periods, of which the first may have begun late"
        return steps == pytest.approx([0.05] * 5, abs=0.021) and times[-1] - times[0] == pytest.approx(0.25, abs=0.03)

    wait_for(keeps_the_rate)
    frames.close()


def test_too_many_streams_and_unknown_columns_are_refused_with_a_sentence(client):
    with pytest.raises(RefusedError, match="'position'"):
        next(client.states(columns=["positon"]))
    with pytest.raises(RefusedError, match="'position'"):
        client.all_states(columns=["positon"])
    open_ones = [opened(client) for _ in range(2)]
    with pytest.raises(ClientError, match="2 streams are open"):
        next(client.states(columns=["id"]))
    for stream in open_ones:
        stream.close()


def test_a_stream_gives_its_place_back_soon_after_its_reader_has_gone(client):
    for _ in range(6):
        opened(client).close()


def opened(client: Client):
    """A stream of which a frame has come; one that was closed just now may have its place for a moment yet."""
    deadline = time.monotonic() + 60.0
    while True:
        frames = client.states(columns=["id"])
        try:
            assert next(frames).rows == 1
        except ClientError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.02)
        else:
            return frames
