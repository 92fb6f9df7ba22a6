"""What differs between two Snapshots, by actor and column.

Rows of tables are matched by their ids and not by their places, so an actor that is missing in one Snapshot does not
make all those after it differ. Numbers are compared bit by bit, as digests are: there is a difference exactly if the
digests differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.state_tree import Leaf
from dorosim.world.snapshot import NO_ACTOR, STATE, Snapshot

Key = tuple[int, ...]


class Difference(NamedTuple):
    """One number that differs, or a row that only one of two Snapshots has.

    Attributes:
        actor: id of the actor that it is about, 0 for none.
        place: path of the column, array, value or table, with the row where it has no actor: "signal.light.status[4]".
        left, right: the two values, as the arrays hold them; None where there is none.
        unit: symbol of their unit.
    """

    actor: int
    place: str
    left: Any
    right: Any
    unit: str = ""


def differences(left: Snapshot, right: Snapshot) -> list[Difference]:
    """All that differs, first what belongs to no actor, then by actor; for each in the order of the Snapshot."""
    keys = {path: (_keys(left, path), _keys(right, path)) for path, table in STATE.tables.items() if table.key}
    found = [*_rows_that_miss(keys)]
    for leaf in STATE.leaf.values():
        one, other = (np.asarray(attrgetter(leaf.path)(now), leaf.dtype) for now in (left, right))
        owner = _owner(leaf.table or leaf.path)
        found += _by_actor(leaf, one, other, *keys[owner]) if owner else _by_place(leaf, one, other)
    order = {path: number for number, path in enumerate([*STATE.tables, *STATE.leaf])}
    found.sort(key=lambda one: (one.actor, order[one.place.partition("[")[0]]))
    return found


def _owner(path: str) -> str:
    """Path of the table that has the ids of the rows of a table or array; an empty string if none has."""
    own = STATE.tables.get(path)
    if own is not None and own.key:
        return path
    for prefix, owner in STATE.rows.items():
        if path == prefix or path.startswith(f"{prefix}."):
            return owner
    return ""


def _keys(now: Snapshot, path: str) -> list[Key]:
    """A key for each row of a table that has ids; rows of equal keys are numbered."""
    table = attrgetter(path)(now)
    columns = [getattr(table, name).tolist() for name in STATE.tables[path].key]
    seen: Counter[Key] = Counter()
    keys = []
    for key in zip(*columns, strict=True):
        keys.append((*key, seen[key]))
        seen[key] += 1
    return keys


def _label(path: str, key: Key) -> str:
    """The path with what names the row besides its actor; the path alone if the id is the whole key."""
    rest = [str(part) for part in key[1:-1]] + ([f"no. {key[-1] + 1}"] if key[-1] else [])
    return f"{path}[{', '.join(rest)}]" if rest else path


def _rows_that_miss(keys: Mapping[str, tuple[list[Key], list[Key]]]) -> Iterator[Difference]:
    for path, (here, there) in keys.items():
        for key in sorted(set(here) - set(there)):
            yield Difference(key[0], _label(path, key), "there", None)
        for key in sorted(set(there) - set(here)):
            yield Difference(key[0], _label(path, key), None, "there")
        if here != there and set(here) == set(there):
            yield Difference(NO_ACTOR, f"{path}[order of rows]", "as it is", "another")


def _by_actor(
    leaf: Leaf, one: NDArray[Any], other: NDArray[Any], here: list[Key], there: list[Key]
) -> Iterator[Difference]:
    """Differences of rows that both states have; `here` and `there` are the keys of their rows."""
    if leaf.table:
        one, other = one.T, other.T
    if (len(one), len(other)) != (len(here), len(there)) or one.shape[1:] != other.shape[1:]:
        yield Difference(NO_ACTOR, f"{leaf.path}[shape]", one.shape, other.shape)
        return
    places = {key: row for row, key in enumerate(there)}
    pairs = np.array([(row, places[key]) for row, key in enumerate(here) if key in places], np.intp).reshape(-1, 2)
    first, second = one[pairs[:, 0]], other[pairs[:, 1]]
    for index in np.argwhere(_unequal(first, second)).tolist():
        key, at = here[pairs[index[0], 0]], tuple(index)
        part = "".join(f"[{number}]" for number in index[1:])
        yield Difference(key[0], _label(leaf.path, key) + part, first[at], second[at], _symbol(leaf))


def _by_place(leaf: Leaf, one: NDArray[Any], other: NDArray[Any]) -> Iterator[Difference]:
    """Differences of what has no actors."""
    if one.shape != other.shape:
        yield Difference(NO_ACTOR, f"{leaf.path}[shape]", one.shape, other.shape)
        return
    for index in np.argwhere(_unequal(one, other)).tolist():
        part = f"[{', '.join(map(str, index))}]" if index else ""
        at = tuple(index)
        yield Difference(NO_ACTOR, leaf.path + part, one[at], other[at], _symbol(leaf))


def _symbol(leaf: Leaf) -> str:
    """The unit that the numbers of a leaf are in."""
    return leaf.unit.si_symbol if leaf.dtype.kind == "f" else leaf.unit.symbol


def _unequal(one: NDArray[Any], other: NDArray[Any]) -> NDArray[np.bool_]:
    """Where numbers of 8 bytes, or flags, do not have the same bits."""
    if one.dtype.kind == "f":
        one, other = (np.ascontiguousarray(array).reshape(array.shape).view(np.int64) for array in (one, other))
    unequal: NDArray[np.bool_] = np.asarray(one != other)
    return unequal
