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
