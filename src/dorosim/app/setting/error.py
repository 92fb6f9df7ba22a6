"""What is wrong with a tree of settings: by key path, with the nearest right key or what may stand there."""

from __future__ import annotations

import difflib
import math
import re
import types
import typing
from collections.abc import Iterator
from enum import IntEnum
from typing import Any

import msgspec

from dorosim.ground.error import InputError

_STEP = re.compile(r"\.([^.\[\]`]+)|\[(\d+|\.\.\.)\]")
_SOME = "..."
"""What msgspec writes in place of a key of a mapping."""
_KEY = re.compile(r"(unknown|missing required) field `(.+)`")
_EXPECTED = re.compile(r"Expected `(?P<kind>[^`]+)`(?: of length (?P<length>.+)| (?P<sign>[<>]=?) (?P<bound>\S+))?")
_KINDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
}
_SIGNS = {">=": "at least", "<=": "at most", ">": "more than", "<": "less than"}


def setting_error(
    source: str, base: str, error: msgspec.ValidationError, tree: Any, kind: type[msgspec.Struct], page: str
) -> InputError:
    """The error of a tree that is no such struct.

    Args:
        source: where the tree is from, as the user named it.
        base: key path of the tree, "" for all of the source.
        error: as of `msgspec.convert(tree, kind)`; its sentence names the kind that was expected and the path.
        tree: as it was read.
        kind: what it should be.
        page: where the keys are described.
    """
    what, _, path = str(error).partition(" - at `$")
    steps = _steps_of(path, tree, kind)
    place = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
    place = f"{base}{place}".lstrip(".")
    key = _KEY.search(what)
    if key is not None:
        whole = f"{place}.{key[2]}".lstrip(".")
        if key[1] != "unknown":
            return InputError(source, whole, "is missing", f"give it, see {page}")
        known = sorted({name for one in types_at(kind, steps) for name in _keys_of(one)})
        near = difflib.get_close_matches(key[2], known, n=1)
        homes = [] if base or near else list(dict.fromkeys(_homes_of(key[2], kind)))
        if homes:
            return InputError(source, whole, "is not a known key there", f"it belongs {' or '.join(homes)}; see {page}")
        cure = f"did you mean {near[0]!r}?" if near else f"known keys: {', '.join(known)}"
        return InputError(source, whole, "is not a known key", cure)
    problem, cure = _problem_and_cure(what, _value_at(tree, steps), types_at(kind, steps))
    return InputError(source, place, problem, f"{cure}; see {page}" if cure else f"see {page}")


def wrong_key(error: msgspec.ValidationError, tree: Any, kind: type[msgspec.Struct]) -> list[str | int]:
    """The keys that lead to what is wrong: to the key that is unknown or missing, or to the value that cannot be."""
    what, _, path = str(error).partition(" - at `$")
    key = _KEY.search(what)
    return [*_steps_of(path, tree, kind), *([key[2]] if key is not None else ())]


def _steps_of(path: str, tree: Any, kind: type[msgspec.Struct]) -> list[str | int]:
    """The keys of a path of msgspec. Where it leaves the key of a mapping open, the first whose value is wrong."""
    steps = list[str | int]()
    for name, number in _STEP.findall(path):
        if number == _SOME:
            wanted = [part for one in types_at(kind, steps) for part in _parts_at(one, _SOME)]
            rows = _value_at(tree, steps).items()
            steps.append(next((key for key, value in rows if not any(_is(value, one) for one in wanted)), _SOME))
        else:
            steps.append(name or int(number))
    return steps


def _is(value: Any, kind: Any) -> bool:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return False
    return True


def path_of_no_number(tree: Any, base: str) -> str:
    """Key path of the first number in a tree that is not finite, "" if all are."""
    if isinstance(tree, float):
        return "" if math.isfinite(tree) else base
    if isinstance(tree, dict):
        return next((found for key, one in tree.items() if (found := path_of_no_number(one, f"{base}.{key}"))), "")
    if isinstance(tree, list | tuple):
        return next((found for n, one in enumerate(tree) if (found := path_of_no_number(one, f"{base}[{n}]"))), "")
    return ""


def with_codes(tree: dict[str, Any], kind: type[msgspec.Struct]) -> dict[str, Any]:
    """A tree with the numbers of codes in place of their names: `image = "depth"` is `image = 1`."""
    codes = {field.encode_name: _codes_of([field.type]) for field in msgspec.structs.fields(kind)}
    return {key: codes.get(key, {}).get(_plain(value), value) for key, value in tree.items()}


def codes_of_field(kind: type[msgspec.Struct], name: str) -> dict[str, int]:
    """Names and numbers of the codes that a field takes, none if it takes others."""
    return next((_codes_of([field.type]) for field in msgspec.structs.fields(kind) if field.name == name), {})


def _plain(value: Any) -> Any:
    return value.strip().casefold().replace("-", "_") if isinstance(value, str) else None


def _codes_of(kinds: list[Any]) -> dict[str, int]:
    codes = [one for kind in kinds for one in unwrapped(kind) if isinstance(one, type) and issubclass(one, IntEnum)]
    return {code.name.casefold(): int(code) for kind in codes for code in kind}


def _problem_and_cure(what: str, value: Any, kinds: list[Any]) -> tuple[str, str]:
    shown = _shown(value)
    codes = _codes_of(kinds)
    if codes:
        return (
            f"{shown} is not a valid value",
            f"give {', '.join(f'{name!r} ({code})' for name, code in codes.items())}",
        )
    choices = [str(choice) for kind in kinds if typing.get_origin(kind) is typing.Literal for choice in kind.__args__]
    if what.startswith("Invalid"):
        return f"{shown} is not a valid value", f"give {' or '.join(choices)}" if choices else ""
    expected = _EXPECTED.match(what)
    if expected is None:
        return what, ""
    if expected["length"]:
        return f"{shown} has not as many parts as it should", f"give {expected['length']}"
    if expected["sign"]:
        return f"{shown} is out of range", f"give {_SIGNS[expected['sign']]} {expected['bound']}"
    wanted = [_KINDS.get(one, one) for one in expected["kind"].split(" | ") if one != "null"]
    return f"{shown} is not {' or '.join(wanted)}", "" if not choices else f"give {' or '.join(choices)}"


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _value_at(tree: Any, steps: list[str | int]) -> Any:
    for step in steps:
        try:
            tree = tree[step]
        except (KeyError, IndexError, TypeError):
            return tree
    return tree


def types_at(kind: Any, steps: list[str | int]) -> list[Any]:
    """The types that may stand at a path, without annotations; none where there is no such path."""
    here = list(unwrapped(kind))
    for step in steps:
        here = [inner for one in here for part in _parts_at(one, step) for inner in unwrapped(part)]
    return here


def _parts_at(kind: Any, step: str | int) -> Iterator[Any]:
    arguments = typing.get_args(kind)
    if isinstance(step, str):
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            yield from (field.type for field in msgspec.structs.fields(kind) if field.encode_name == step)
        elif typing.get_origin(kind) is dict:
            yield arguments[1]
    elif arguments:
        yield arguments[min(step, len(arguments) - 1)] if arguments[-1] is not Ellipsis else arguments[0]


def unwrapped(kind: Any) -> Iterator[Any]:
    """The members of a union, without their annotations."""
    origin = typing.get_origin(kind)
    if origin is typing.Annotated:
        yield from unwrapped(kind.__origin__)
    elif origin in (typing.Union, types.UnionType):
        for one in typing.get_args(kind):
            yield from unwrapped(one)
    else:
        yield kind


def _homes_of(key: str, kind: Any, table: str = "", head: str = "before the first [table]") -> Iterator[str]:
    """Where in a file a key may stand, as `to [environment]`: in the whole of it, and in its tables.

    Args:
        key: the last part of its path.
        kind: of the tree, or of a table of it.
        table: path of the table, "" for all of the tree.
        head: where that is, as it is told.
    """
    if key in _keys_of(kind):
        yield head
    for field in msgspec.structs.fields(kind) if _keys_of(kind) else ():
        path = f"{table}.{field.encode_name}".lstrip(".")
        for one in unwrapped(field.type):
            if typing.get_origin(one) is tuple:
                for row in typing.get_args(one)[:1]:
                    yield from _homes_of(key, row, path, f"to [[{path}]]")
            else:
                yield from _homes_of(key, one, path, f"to [{path}]")


def _keys_of(kind: Any) -> tuple[str, ...]:
    return kind.__struct_encode_fields__ if isinstance(kind, type) and issubclass(kind, msgspec.Struct) else ()
