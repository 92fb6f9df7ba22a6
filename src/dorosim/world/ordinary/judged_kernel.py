"""Ordinary ticks one after another in one call, each held against the criteria of a scenario run."""

from __future__ import annotations

from enum import IntEnum, auto

from dorosim.ground.address_kernel import float_rows_at, int_rows_at, ints_at
from dorosim.ground.column import IntArray
from dorosim.ground.jit import kernel
from dorosim.world.block import TIME
from dorosim.world.ordinary.judged_link_kernel import HOLD
from dorosim.world.ordinary.link_kernel import MAKE_TICK
from dorosim.world.ordinary.word import TickWord
from dorosim.world.storyboard.criterion_word import CriterionWord
from dorosim.world.storyboard.state import EntityTable

_ENTITY_WIDTH, _ENTITY_INT_WIDTH = EntityTable.float_width, len(EntityTable.int_columns)
_W_LINE, _W_STARTED = int(TickWord.STORY_LINE), int(TickWord.STORY_STARTED)
_W_ENTITIES, _W_ENTITY_INTS = int(TickWord.STORY_ENTITIES), int(TickWord.STORY_ENTITY_INTS)
_CRITERION_WORDS = len(CriterionWord)
_make_tick, _hold = MAKE_TICK.call, HOLD.call


class JudgedPlace(IntEnum):
    """What ticks in a row know and say: an array of ints."""

    TICK = 0
    """Address of `make_ordinary_tick`."""
    HOLD = auto()
    """Address of `hold_against_criteria`."""
    TICKS = auto()
    """How many are to be made."""
    DONE = auto()
    """Out: how many have been made."""
    NOW = auto()
    """Row of the block that is the present one; written."""


_TICK, _HOLD, _TICKS = int(JudgedPlace.TICK), int(JudgedPlace.HOLD), int(JudgedPlace.TICKS)
_DONE, _NOW = int(JudgedPlace.DONE), int(JudgedPlace.NOW)


@kernel
def make_judged_ticks(places: IntArray, blocks: IntArray, words: IntArray, criteria: IntArray) -> None:
    """Take a world with a storyboard on, until something rare happens or some criteria want to be looked at.

    Args:
        places: `JudgedPlace`; written.
        blocks: `(2, words)` two blocks of the state, one of them the present one; written in turns.
        words: `(N,)` what the ticks take as given (`TickWord`).
        criteria: `(2, G)` addresses of the `CriterionWord` of groups of criteria, and what each says of the last tick:
            as `hold_against_criteria` returns it; written.
    """
    count, entities = blocks.shape[1], words[_W_ENTITIES]
    places[_DONE], wanted = 0, False
    while places[_DONE] < places[_TICKS] and not wanted:
        now = places[_NOW]
        after = blocks[1 - now]
        if _make_tick(places[_TICK], (blocks[now], after, words)) != 0:
            break
        places[_NOW] = 1 - now
        places[_DONE] += 1
        line = int(blocks.ctypes.data) + 8 * (count * (1 - now) + words[_W_LINE])
        table = float_rows_at(line, _ENTITY_WIDTH, entities)
        ints = int_rows_at(line + words[_W_ENTITY_INTS], _ENTITY_INT_WIDTH, entities)
        for g in range(criteria.shape[1]):
            given = ints_at(criteria[0, g], _CRITERION_WORDS)
            criteria[1, g] = _hold(places[_HOLD], (given, table, ints, after[TIME] - words[_W_STARTED]))
            if criteria[1, g] != 0:
                wanted = True
