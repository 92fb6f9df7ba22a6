"""Sockets of other interfaces that the loop's thread reads while it waits for datagrams."""

from __future__ import annotations

import socket

import pytest

from dorosim.endpoint.udp.socket_reader import SocketReaders


@pytest.fixture
def pair():
    one, other = socket.socketpair()
    with one, other:
        yield one, other


def test_those_that_are_ready_read_and_are_taken_out(pair):
    one, other = pair
    readers, read = SocketReaders(), []
    readers.put(one, lambda: read.append(one))
    ready = [other, one]
    assert readers.read(ready, (one,))
    assert (read, ready) == ([one], [other])
    assert not readers.read(ready, (one,))
    assert ready == [other]


def test_one_that_was_taken_back_during_the_wait_is_only_taken_out(pair):
    """Its connection's thread may end the reading at any moment; the endpoint must not take it for one of its own."""
    one, other = pair
    readers = SocketReaders()
    readers.put(one, lambda: pytest.fail("it is not to be read"))
    asked = readers.sockets
    readers.drop(one)
    ready = [one, other]
    assert readers.read(ready, asked)
    assert ready == [other]


def test_what_one_reader_does_may_end_another(pair):
    one, other = pair
    readers, read = SocketReaders(), []
    readers.put(one, lambda: (read.append(one), readers.drop(other)))
    readers.put(other, lambda: read.append(other))
    assert readers.read([one, other], readers.sockets)
    assert read == [one]


def test_a_wait_finds_what_reads_the_sockets_that_have_something(pair):
    one, other = pair
    readers, read = SocketReaders(), []
    readers.put(one, lambda: read.append(one))
    waker, wakes = socket.socketpair()
    with waker, wakes:
        assert not readers.wait(0.001, {}, waker)
        other.send(b"!")
        for found in readers.wait(1.0, {}, waker):
            found()
        assert read == [one]
        wakes.send(b"!")
        assert not readers.wait(1.0, {}, waker), "another has something, too: all are to be looked at"
        readers.drop(one)
        assert not readers.wait(1.0, {}, waker)


def test_a_wait_knows_sockets_that_come_later(pair):
    one, other = pair
    readers = SocketReaders()
    waker, wakes = socket.socketpair()
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.bind(("127.0.0.1", 0))
    with waker, wakes, udp:
        listening = {}
        assert not readers.wait(0.001, listening, waker)
        readers.put(one, lambda: None)
        other.send(b"!")
        assert len(readers.wait(1.0, listening, waker)) == 1
        listening[udp] = 0
        udp.sendto(b"!", udp.getsockname())
        assert not readers.wait(1.0, listening, waker)


def test_a_wait_with_a_closed_socket_is_left_to_the_other_one(pair):
    one, _ = pair
    readers = SocketReaders()
    readers.put(one, lambda: pytest.fail("it is not to be read"))
    waker, wakes = socket.socketpair()
    with waker, wakes:
        one.close()
        assert not readers.wait(1.0, {}, waker)
        readers.drop(one)
        assert not readers.wait(0.001, {}, waker)
