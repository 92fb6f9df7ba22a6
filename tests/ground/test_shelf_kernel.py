"""Pieces of memory come back from their shelf by key and size, and each call has one of its own."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.ground.address_kernel import ints_at
from dorosim.ground.jit import kernel
from dorosim.ground.shelf_kernel import PIECE_WORDS, SHELF_WORDS, is_new_piece, put_piece, take_piece


@kernel
def take(shelf, words, key):
    return take_piece(shelf, words, key)


@kernel
def put(shelf, piece):
    put_piece(shelf, piece)


@kernel
def is_new(piece):
    return is_new_piece(piece)


@kernel
def last_word(piece, words, value):
    found = ints_at(piece, words)
    before = found[words - 1]
    found[words - 1] = value
    return before


@pytest.fixture
def shelf():
    words = np.zeros(SHELF_WORDS, np.int64)
    yield words.ctypes.data, words
    for piece in words[words != 0].tolist():
        put(0, piece)


def test_a_piece_comes_back_as_it_was(shelf):
    at, words = shelf
    one = take(at, 100, 7)
    assert is_new(one)
    last_word(one, 100, 42)
    put(at, one)
    assert words.tolist() == [one] + [0] * (SHELF_WORDS - 1)
    again = take(at, 90, 7)
    assert again == one
    assert not is_new(again)
    assert last_word(again, 100, 1) == 42
    assert not words.any()
    put(at, again)


def test_calls_at_once_have_pieces_of_their_own(shelf):
    at, words = shelf
    pieces = [take(at, PIECE_WORDS, 1) for _ in range(SHELF_WORDS + 2)]
    assert len(set(pieces)) == len(pieces)
    for piece in pieces:
        put(at, piece)
    assert words.tolist() == pieces[:1:-1]  # the first two had no room any more


def test_another_key_is_another_piece(shelf):
    at, kept = shelf
    one = take(at, 100, 7)
    put(at, one)
    other = take(at, 100, 8)
    assert other != one
    assert is_new(other)
    put(at, other)
    assert set(kept[kept != 0].tolist()) == {one, other}
    assert take(at, 100, 7) == one
    put(at, one)


def test_a_piece_that_has_become_too_short_is_not_kept(shelf):
    at, kept = shelf
    put(at, take(at, 100, 7))
    longer = take(at, 101, 7)
    assert is_new(longer)
    assert not kept.any()
    put(at, longer)
    assert take(at, 100, 7) == longer
    put(at, longer)


def test_large_pieces_are_whole(shelf):
    at, _ = shelf
    words = (9 << 20) // 8
    piece = take(at, words, 3)
    last_word(piece, words, 5)
    assert last_word(piece, words, 6) == 5
    put(at, piece)
