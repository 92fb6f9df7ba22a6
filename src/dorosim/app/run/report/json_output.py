"""Output for machines: `--json` prints one JSON document in one line on standard output.

Keys are in lower case with underscores, except where they are names that are counted; numbers have the unit that the
key ends with, else SI; a number that is not finite is null. Keys may be added from version to version; those that are
there keep their meaning.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")
Facts = dict[str, Any]
"""What a command found, by the keys of its JSON; the function that gathers it describes the keys."""


def print_json(facts: Any) -> None:
    """Print facts, of plain values, dataclasses and structs, as one line of JSON, at once."""
    if sys.stdout is None:
        return  # it was closed before the program began
    sys.stdout.write(json_line(facts))
    sys.stdout.flush()


def show_facts(facts: T, print_facts: Callable[[T], None], *, json: bool) -> None:
    """Print facts as JSON, or for people."""
    if json:
        print_json(facts)
    else:
        print_facts(facts)


def json_line(facts: Any) -> str:
    """Facts as one line of JSON with its end of line."""
    import msgspec

    return msgspec.json.encode(facts, enc_hook=_plain).decode() + "\n"


def _plain(value: Any) -> Any:
    """What msgspec does not know: numbers of numpy, and paths."""
    item = getattr(value, "item", None)
    return item() if callable(item) else str(value)
