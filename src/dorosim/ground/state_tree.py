"""A tree of state: classes that hold tables, arrays, plain values and one another, seen as a flat list of leaves.

    tree = StateTree(Snapshot)
    tree.arrays(now)     # every array that holds the state, in a fixed order
    tree.leaves(now)     # {"tick": ..., "traffic.speed": ..., "signal.programme.duration": ...}
    tree.build(leaves)   # an equal Snapshot

A class belongs to a tree if its constructor takes what it holds under the names of its attributes. Dataclasses do, and
so do `Columns` and plain classes of arrays; their annotations say all that is to be known, so a new table needs no word
here. A leaf is a column of a table, an array, or a plain value (int, float, bool, a tuple of int).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Generic, TypeVar, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import Columns, FloatVector
from dorosim.ground.unit import NONE, Unit

T = TypeVar("T")
NOT_STATE: Mapping[str, Any] = MappingProxyType({"state": False})
"""Metadata of a dataclass field that is no part of the state; it needs a default."""
_PLAIN: dict[Any, np.dtype[Any]] = {
    bool: np.dtype(np.bool_),
    int: np.dtype(np.int64),
    float: np.dtype(np.float64),
    tuple[int, ...]: np.dtype(np.int64),
}


def rows_of(table: str) -> Mapping[str, Any]:
    """Metadata of a field whose rows are those of another field of the same class, which has ids."""
    return MappingProxyType({"rows": table})


def in_unit(unit: Unit) -> Mapping[str, Any]:
    """Metadata of a field whose values are in a unit."""
    return MappingProxyType({"unit": unit})


@dataclass(frozen=True, slots=True)
class Leaf:
    """A piece of a state.

    Attributes:
        path: names of the attributes that lead to it, with dots between.
        dtype: of its values.
        unit: of its values; real ones are in its SI unit, whole ones in the unit itself.
        table: path of the table whose column it is, or an empty string.
        width: columns side by side in a vector column, 0 for all else.
    """

    path: str
    dtype: np.dtype[Any]
    unit: Unit = NONE
    table: str = ""
    width: int = 0


class StateTree(Generic[T]):
    """The leaves of a class of state.

    Args:
        kind: the class.

    Raises:
        TypeError: it holds something that is no state.

    Attributes:
        leaf: every leaf by its path, in order.
        tables: class of every table by its path.
        rows: for paths of tables and arrays that have no ids of their own, the path of the table that has them.
        array_paths: of what `arrays` gives.
    """

    def __init__(self, kind: type[T]) -> None:
        self.kind = kind
        self.leaf: dict[str, Leaf] = {}
        self.tables: dict[str, type[Columns]] = {}
        self.rows: dict[str, str] = {}
        arrays: list[str] = []
        plain: list[str] = []
        for path, hint, unit in self._walk(kind, ""):
            if isinstance(hint, type) and issubclass(hint, Columns):
                self.tables[path] = hint
                self.leaf |= {leaf.path: leaf for leaf in _columns(path, hint)}
                arrays += [f"{path}.floats", f"{path}.ints"]
            else:
                self.leaf[path] = Leaf(path, _dtype_of(hint, path), unit)
                (plain if hint in _PLAIN else arrays).append(path)
        self.array_paths = tuple(arrays)
        self._arrays, self._plain = _getter(arrays), _getter(plain)

    def _walk(self, kind: type[Any], prefix: str) -> Iterator[tuple[str, Any, Unit]]:
        """Paths, annotations and units of tables, arrays and plain values, in the order of the classes' fields."""
        for name, (hint, metadata) in _members(kind).items():
            path = f"{prefix}{name}"
            if "rows" in metadata:
                self.rows[path] = f"{prefix}{metadata['rows']}"
            if _is_node(hint):
                yield from self._walk(hint, f"{path}.")
            else:
                yield path, hint, metadata.get("unit", NONE)

    def arrays(self, state: T) -> tuple[NDArray[Any], ...]:
        """Every array that holds a state, in a fixed order: of a table its two blocks."""
        return self._arrays(state)

    def plain(self, state: T) -> tuple[Any, ...]:
        """Every plain value of a state, in a fixed order."""
        return self._plain(state)

    def leaves(self, state: T) -> dict[str, NDArray[Any]]:
        """Every leaf of a state by its path, as an array; a column has shape `(rows,)` or `(width, rows)`."""
        return {path: np.asarray(attrgetter(path)(state), leaf.dtype) for path, leaf in self.leaf.items()}

    def build(self, leaves: Mapping[str, NDArray[Any]]) -> T:
        """A state of leaves; all arrays are new and read-only.

        Args:
            leaves: one for each path of `leaf`, of its dtype.

        Raises:
            ValueError: columns of one table, or a plain value, do not have the right shape.
        """
        built: T = self._object(self.kind, "", leaves)
        return built

    def _object(self, kind: type[Any], prefix: str, leaves: Mapping[str, NDArray[Any]]) -> Any:
        found: dict[str, Any] = {}
        for name, (hint, _) in _members(kind).items():
            path = f"{prefix}{name}"
            if _is_node(hint):
                found[name] = self._object(hint, f"{path}.", leaves)
            elif path in self.tables:
                found[name] = _table(path, hint, leaves)
            elif hint in _PLAIN:
                found[name] = _value(path, hint, leaves[path])
            else:
                found[name] = np.array(leaves[path])
                found[name].flags.writeable = False
        return kind(**found)


def arrays_of(state: Any) -> tuple[NDArray[Any], ...]:
    """Every array that holds a state, in a fixed order; a caller that asks often keeps a `StateTree`."""
    return StateTree(type(state)).arrays(state)


def _getter(paths: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """A function that fetches what lies at some paths."""
    if len(paths) > 1:
        return attrgetter(*paths)
    return lambda state: tuple(attrgetter(path)(state) for path in paths)


def _members(kind: type[Any]) -> dict[str, tuple[Any, Mapping[str, Any]]]:
    """What the constructor of a class takes, in order: annotation, and what `rows_of` and `in_unit` say of it."""
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        held = [field for field in fields(kind) if field.metadata.get("state", True)]
        return {field.name: (hints[field.name], field.metadata) for field in held}
    hints = get_type_hints(kind.__init__)
    return {name: (hint, {}) for name, hint in hints.items() if name != "return"}


def _is_node(hint: Any) -> bool:
    """Whether an annotation is a class that holds others."""
    return isinstance(hint, type) and hint not in _PLAIN and not issubclass(hint, Columns) and get_origin(hint) is None


def _dtype_of(hint: Any, path: str) -> np.dtype[Any]:
    """What an annotation of a leaf says of its values."""
    plain = _PLAIN.get(hint)
    if plain is not None:
        return plain
    if get_origin(hint) is not np.ndarray:
        raise TypeError(f"{path}: {hint} is neither a table, an array, a plain value nor a class of these")
    (scalar,) = get_args(get_args(hint)[1])
    dtype: np.dtype[Any] = np.dtype(scalar)
    return dtype


def _columns(path: str, kind: type[Columns]) -> Iterator[Leaf]:
    for column in kind.float_columns:
        width = column.count if isinstance(column, FloatVector) else 0
        yield Leaf(f"{path}.{column.name}", np.dtype(np.float64), column.unit, path, width)
    for number in kind.int_columns:
        yield Leaf(f"{path}.{number.name}", np.dtype(np.int64), number.unit, path)


def _table(path: str, kind: type[Columns], leaves: Mapping[str, NDArray[Any]]) -> Columns:
    """A read-only table of its columns."""
    columns = tuple(_columns(path, kind))
    rows = leaves[columns[0].path].shape[-1:]
    for leaf in columns:
        shape = (leaf.width, *rows) if leaf.width else rows
        if len(rows) != 1 or leaves[leaf.path].shape != shape:
            raise ValueError(f"{leaf.path}: an array of {leaves[leaf.path].shape}, not {shape}")
    table = kind.zeros(*rows)
    for leaf in columns:
        getattr(table, leaf.path.removeprefix(f"{path}."))[...] = leaves[leaf.path]
    return table.freeze()


def _value(path: str, hint: Any, leaf: NDArray[Any]) -> Any:
    """A plain value of an array of one number, or of several for a tuple."""
    if leaf.ndim != (hint == tuple[int, ...]):
        raise ValueError(f"{path}: an array of {leaf.shape}, not a plain value")
    return tuple(leaf.tolist()) if leaf.ndim else leaf.item()
