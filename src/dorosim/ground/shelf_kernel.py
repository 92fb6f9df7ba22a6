"""Scratch memory that is kept between calls of kernels: on a shelf, from which each call takes what it needs alone.

Memory that is asked for anew in each call has to be cleared by the system and filled by the kernel, page by page; for
tens of megabytes that takes longer than what is done in it. A piece on a shelf has a key, which says what its beginning
holds: who puts it back has left that as it was found. Threads may use one shelf at the same time, and where a process
forks, the child has what lay on the shelf then.

A shelf is so many words, each with the address of a piece or 0. A piece begins with `PIECE_WORDS` words of its own.

Sources: the manual page madvise(2), for pages of 2 MB, which processors find sooner than as much memory in small ones.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, cast

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from dorosim.ground.address_kernel import ints_at
from dorosim.ground.atomic_kernel import exchange
from dorosim.ground.jit import inner_kernel

SHELF_WORDS = 8
"""Pieces that a shelf has room for."""

PIECE_WORDS = 8
"""Words at the beginning of a piece; the last `PIECE_WORDS` - 3 are the user's."""

_LENGTH, _KEY, _IS_NEW = 0, 1, 2
_HUGE_BYTES = 4 << 20
"""From so many bytes on, pages of 2 MB are asked for."""

_PAGE, _MADV_HUGEPAGE = 4096, 14
_ADDRESS, _INT = ir.IntType(64), ir.IntType(32)


def _allocate(_typing: Any, _size: Any) -> Any:
    def code(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ptrtoint(context.nrt.allocate_unchecked(builder, arguments[0]), _ADDRESS)

    return types.int64(types.intp), code


def _release(_typing: Any, _address: Any) -> Any:
    def code(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        context.nrt.free(builder, builder.inttoptr(arguments[0], ir.IntType(8).as_pointer()))
        return context.get_dummy_value()

    return types.none(types.int64), code


def _ask_for_huge_pages(_typing: Any, _address: Any, _size: Any) -> Any:
    def code(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        if sys.platform == "linux":
            kind = ir.FunctionType(_INT, [_ADDRESS, _ADDRESS, _INT])
            function = cgutils.get_or_insert_function(builder.module, kind, "madvise")
            builder.call(function, [*arguments, ir.Constant(_INT, _MADV_HUGEPAGE)])
        return context.get_dummy_value()

    return types.none(types.int64, types.int64), code


_memory = cast(Callable[[int], int], intrinsic(_allocate))
_free = cast(Callable[[int], None], intrinsic(_release))
_in_huge_pages = cast(Callable[[int, int], None], intrinsic(_ask_for_huge_pages))


@inner_kernel
def take_piece(shelf: int, words: int, key: int) -> int:
    """The address of a piece of at least so many words that no other call has; 0 if there is no memory.

    Args:
        shelf: address of the shelf; 0 for a piece that is not kept.
        words: how many, with `PIECE_WORDS`.
        key: what its beginning holds, if it is not new (`is_new_piece`).
    """
    for place in range(SHELF_WORDS if shelf != 0 else 0):
        found = exchange(shelf + 8 * place, 0)
        if found != 0:
            head = ints_at(found, PIECE_WORDS)
            if head[_KEY] == key and head[_LENGTH] >= words:
                head[_IS_NEW] = 0
                return found
            # one of the same key that is too short is of no use any more
            put_piece(shelf if head[_KEY] != key else 0, found)
    made = _memory(8 * words)
    if made != 0:
        if 8 * words >= _HUGE_BYTES:
            begin = (made + _PAGE - 1) // _PAGE * _PAGE
            _in_huge_pages(begin, made + 8 * words - begin)
        head = ints_at(made, PIECE_WORDS)
        head[_LENGTH], head[_KEY], head[_IS_NEW] = words, key, 1
    return made


@inner_kernel
def is_new_piece(piece: int) -> bool:
    """Whether what a piece holds is yet to be written, its beginning too."""
    return bool(ints_at(piece, PIECE_WORDS)[_IS_NEW] == 1)


@inner_kernel
def put_piece(shelf: int, piece: int) -> None:
    """Put a piece on a shelf, before the others; the last one is freed where there is no room, or for 0 this one."""
    for place in range(SHELF_WORDS if shelf != 0 else 0):
        piece = exchange(shelf + 8 * place, piece)
        if piece == 0:
            return
    _free(piece)
