"""Where the scratch of a decision is in memory, and how it is left for the next one."""

from __future__ import annotations

from dorosim.ground.address_kernel import float_rows_at, floats_at, int_rows_at, ints_at
from dorosim.ground.bare_kernel import bare
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.ground.narrow_kernel import columns_behind, marks_at, narrow_list_at, narrow_rows_at
from dorosim.ground.shelf_kernel import PIECE_WORDS, take_piece
from dorosim.world.traffic.decision_table_kernel import (
    BUSY,
    MAX_TRAFFIC_PARTS,
    RARE,
    REPORT,
    SPAN_BEGIN,
    SPAN_END,
    UNBOUNDED,
    VEHICLE,
    LinkEntry,
    LinkReport,
    RareReport,
    VehicleRecord,
    Workspace,
)
from dorosim.world.traffic.state import Crossing, Obstruction

_LINE = 8
"""Words that a processor fetches at once."""

RECORD_WORDS = 24
"""Words of a vehicle's record: its floats, its ints and its path: three lines."""

OUTCOME_COLUMNS = 4
"""Of `Workspace.outcome`."""

REPORT_WORDS, _MARKS = _LINE, 8
"""Words of a report on a link, a line; marks in a word."""

_REPORT_FLOATS, _REPORT_INTS = LinkReport.float_width, len(LinkReport.int_columns)
_RARE_FLOATS, _ENTRY_FLOATS = RareReport.float_width, LinkEntry.float_width
RECORD_FLOATS, _RECORD_INTS = VehicleRecord.float_width, len(VehicleRecord.int_columns)
"""Numbers of a vehicle's record; its ints follow, two in a word."""
_TOTAL = 4
_LINK_WORDS = REPORT_WORDS + _RARE_FLOATS + 4
"""Words of each link: its report, three spans, and one for its place among links with vehicles and its marks."""

_ENTRY_WORDS = RECORD_WORDS + _ENTRY_FLOATS + OUTCOME_COLUMNS + 4
"""Words of each possible entry."""

_MORE = 64
"""Vehicles and obstructions are counted in so many."""

_CROSSING, _OBSTRUCTION = Crossing.at, Obstruction.at


@inner_kernel
def words_of_marks(links: int) -> int:
    """How many words the marks of so many links take, whole lines."""
    return (links + _MARKS * _LINE - 1) // (_MARKS * _LINE) * _LINE


@inner_kernel
def workspace_words(vehicles: int, links: int, obstructions: int) -> int:
    """How many words the scratch of a decision takes; with room for some more, since both numbers change in a run."""
    vehicles, obstructions = (vehicles // _MORE + 1) * _MORE, (obstructions // _MORE + 1) * _MORE
    kept = PIECE_WORDS + _LINE + links * _LINK_WORDS + 2 * words_of_marks(links) + 3 * _LINE
    return kept + 2 * vehicles * _ENTRY_WORDS + vehicles + MAX_TRAFFIC_PARTS * _LINE + obstructions + 4 * _LINE


@inner_kernel
def take_scratch(shelf: int, vehicles: int, links: int, obstructions: int) -> int:
    """A piece of memory for a decision of its own, from a shelf or, for 0, from nowhere; its key is the links."""
    piece = take_piece(shelf, workspace_words(vehicles, links, obstructions), links)
    if piece == 0:
        raise MemoryError("there is no memory for the decisions of so many drivers")
    return int(piece)


@inner_kernel
def workspace_in(
    piece: int,
    links: int,
    floats: FloatArray,
    ints: IntArray,
    obstruction: FloatArray,
    crossing: FloatArray,
    roadside: FloatArray,
    permission: IntArray,
) -> Workspace:
    """Scratch in a piece of memory at an address, bare, and what the decision is about."""
    vehicles, entries = ints.shape[1], 2 * ints.shape[1]
    report = (piece + 8 * (PIECE_WORDS + _LINE - 1)) // (8 * _LINE) * (8 * _LINE)
    marks = report + 8 * links * REPORT_WORDS
    rare = marks + 16 * words_of_marks(links)
    span = rare + 8 * links * _RARE_FLOATS
    busy = span + 24 * links
    record = (busy + 8 * links + 8 * _LINE - 1) // (8 * _LINE) * (8 * _LINE)
    listed = record + 8 * entries * RECORD_WORDS
    entry = listed + 8 * MAX_TRAFFIC_PARTS * _LINE
    lists = entry + 8 * entries * (_ENTRY_FLOATS + OUTCOME_COLUMNS + 1)
    records = narrow_rows_at(record + 8 * RECORD_FLOATS, entries, 2 * RECORD_WORDS)
    return Workspace(
        bare(float_rows_at(entry, entries, _ENTRY_FLOATS)),
        narrow_list_at(lists, entries),
        narrow_rows_at(span, links, 2),
        narrow_rows_at(span + 8 * links, links, 2),
        narrow_rows_at(span + 16 * links, links, 2),
        bare(ints_at(piece + 8 * (PIECE_WORDS - _TOTAL), _TOTAL)),
        narrow_list_at(busy, links),
        marks_at(marks, links),
        bare(ints_at(marks, words_of_marks(links))),
        marks_at(marks + 8 * words_of_marks(links), links),
        bare(ints_at(marks + 8 * words_of_marks(links), words_of_marks(links))),
        bare(float_rows_at(report, links, REPORT_WORDS)),
        narrow_rows_at(report + 8 * _REPORT_FLOATS, links, 2 * REPORT_WORDS),
        bare(float_rows_at(rare, links, _RARE_FLOATS)),
        bare(float_rows_at(record, entries, RECORD_WORDS)),
        records,
        narrow_rows_at(record + 8 * RECORD_FLOATS + 4 * _RECORD_INTS, entries, 2 * RECORD_WORDS),
        narrow_list_at(lists + 16 * entries, vehicles),
        bare(int_rows_at(listed, MAX_TRAFFIC_PARTS, _LINE)),
        narrow_list_at(lists + 4 * entries, entries),
        narrow_list_at(lists + 8 * entries, entries),
        bare(floats_at(entry + 8 * entries * (_ENTRY_FLOATS + OUTCOME_COLUMNS), entries)),
        narrow_list_at(lists + 12 * entries, entries),
        bare(float_rows_at(entry + 8 * entries * _ENTRY_FLOATS, entries, OUTCOME_COLUMNS)),
        narrow_list_at(lists + 18 * entries, obstruction.shape[1]),
        columns_behind(bare(floats), records, VEHICLE.row),
        columns_behind(bare(ints), records, VEHICLE.row),
        bare(floats),
        bare(ints),
        bare(obstruction),
        bare(crossing),
        bare(roadside),
        bare(permission),
    )


@inner_kernel
def reset_report(work: Workspace, link: int) -> None:
    """Reset the report on a link to nothing known."""
    for column in range(_REPORT_FLOATS):
        work.link[link, column] = UNBOUNDED
    for column in range(_RARE_FLOATS):
        work.rare[link, column] = UNBOUNDED
    work.link[link, REPORT.reserved] = work.link[link, REPORT.waiting_time] = work.rare[link, RARE.arrival_speed] = 0.0
    for column in range(_REPORT_INTS):
        work.link_ints[link, column] = -1
    work.link_ints[link, REPORT.changed_to] = 0


@inner_kernel
def clear_workspace(work: Workspace) -> None:
    """Write what a new piece of memory has between decisions."""
    for link in range(work.link.shape[0]):
        reset_report(work, link)
        work.entry_span[link, SPAN_BEGIN] = work.entry_span[link, SPAN_END] = 0
        work.body_span[link, SPAN_BEGIN] = work.body_span[link, SPAN_END] = 0
        work.crossing_span[link, SPAN_BEGIN] = work.crossing_span[link, SPAN_END] = 0
    for word in range(work.touched_words.shape[0]):
        work.busy_words[word] = work.touched_words[word] = 0


@inner_kernel
def forget(work: Workspace, part: int, parts: int) -> None:
    """Leave a part of the links as they are between decisions, but for obstructions and crossings."""
    busy = work.total[BUSY]
    for number in range(busy * part // parts, busy * (part + 1) // parts):
        link = work.busy[number]
        work.entry_span[link, SPAN_BEGIN] = work.entry_span[link, SPAN_END] = 0
    words = work.touched_words.shape[0]
    for word in range(words * part // parts, words * (part + 1) // parts):
        if work.touched_words[word] == 0:
            continue
        for link in range(_MARKS * word, min(_MARKS * (word + 1), work.link.shape[0])):
            if work.touched[link] != 0:
                reset_report(work, link)
        work.touched_words[word] = 0


@inner_kernel
def forget_bodies(work: Workspace, body_ints: IntArray, crossing_ints: IntArray) -> None:
    """Leave all links without obstructions and crossings."""
    for row in range(body_ints.shape[1]):
        link = body_ints[_OBSTRUCTION.link, row]
        work.body_span[link, SPAN_BEGIN] = work.body_span[link, SPAN_END] = 0
    for row in range(crossing_ints.shape[1]):
        link = crossing_ints[_CROSSING.link, row]
        work.crossing_span[link, SPAN_BEGIN] = work.crossing_span[link, SPAN_END] = 0
