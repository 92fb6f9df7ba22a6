"""The reference page of the fixed step over TCP, from its catalogue."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

from dorosim.wire.device import sized_picture
from dorosim.wire.message import Field, Wire
from dorosim.wire.tcp_step import notification
from dorosim.wire.tcp_step.catalogue import PROCEDURES
from dorosim.wire.tcp_step.codec import min_size
from dorosim.wire.tcp_step.datagram import CollisionEvent, VehicleInfo, WheelList
from dorosim.wire.tcp_step.frame import MAX_PAYLOAD
from dorosim.wire.tcp_step.notification import NOTIFICATIONS
from dorosim.wire.tcp_step.request import Empty, ManualControl
from dorosim.wire.tcp_step.response import ResultCode, StepResult
from tools.reference.markdown import table

TYPES = {"i": "int32", "I": "uint32", "q": "int64", "Q": "uint64", "f": "float32", "d": "float64"}


def tcp_step_page() -> str:
    """The page of all messages and datagrams."""
    rows = [(f"`0x{one.number:04X}`", one.name, _sizes(one.requests), _sizes(one.responses)) for one in PROCEDURES]
    codes = [(int(code), code.name.lower().replace("_", " ")) for code in ResultCode]
    parts = [
        "# Messages of the fixed step over TCP\n\n"
        "All numbers are little-endian and packed. A frame is a head of 16 bytes, `<BBIIIH`: magic 0x4D, class\n"
        "(1 request, 2 response, 3 notification), type, size of the payload, id of the request, which the answer has\n"
        f"too, and a flag that does not count. A payload has at most {MAX_PAYLOAD:,} bytes. A text is its length\n"
        "(uint32) and UTF-8; a list is its length (uint32) and its rows. What to do with them:\n"
        "[how to](../how-to/fixed-step.md).\n\n",
        table(("type", "name", "bytes of the request", "bytes of the answer"), rows),
        "\nBytes are those with empty texts and lists. Every answer begins with `result_code` and `detail_code`,\n"
        "which are the same:\n\n",
        table(("code", "meaning"), codes),
        "\n## Requests and answers\n",
    ]
    shown: set[type[Wire]] = {Empty, StepResult}
    for procedure in PROCEDURES:
        for form in (*procedure.requests, *procedure.responses):
            if form not in shown:
                shown.add(form)
                head = f"`0x{procedure.number:04X}` {'answer' if form in procedure.responses else 'request'}"
                parts.append(_section(form, head))
    parts += ["\n## Notifications\n\n", inspect.cleandoc(notification.__doc__ or ""), "\n\n"]
    told = [(f"`0x{number:04X}`", _first_line(made)) for number, made in NOTIFICATIONS.items()]
    parts.append(table(("type", "what"), told))
    parts.append("\n## Datagrams\n")
    for form, head in (
        (VehicleInfo, "from the simulator"),
        (WheelList, "behind it, where it is asked for"),
        (CollisionEvent, "from the simulator"),
        (ManualControl, "to the simulator"),
    ):
        parts.append(_section(form, head))
    parts += ["\n### Picture\n\nfrom the simulator. ", inspect.cleandoc(sized_picture.__doc__ or ""), "\n"]
    return "".join(parts)


def _first_line(thing: object) -> str:
    return inspect.cleandoc(thing.__doc__ or "").partition("\n")[0]


def _sizes(forms: tuple[type[Wire], ...]) -> str:
    return ", ".join(str(min_size(form)) for form in forms)


def _section(form: type[Wire], head: str) -> str:
    rows = [_row(field) for field in _fields(form)]
    text = inspect.cleandoc(form.__doc__ or "")
    return f"\n### {form.__name__}\n\n{head}. {text}\n\n" + table(("field", "type", "unit", "meaning"), rows)


def _fields(form: type[Wire], prefix: str = "") -> Iterator[tuple[str, Field]]:
    """The fields of a table, those of its rows behind it."""
    for field in form.table.fields:
        yield prefix + field.name, field
        if field.record is not None:
            yield from _fields(field.record, f"{prefix}{field.name}[].")


def _row(named: tuple[str, Field]) -> tuple[str, str, str, str]:
    name, field = named
    if field.kind == "text":
        kind = f"char[{field.count}]"
    elif field.kind in ("string", "rest"):
        kind = "text" if field.kind == "string" else "UTF-8"
    elif field.kind == "records":
        kind = "list"
    else:
        kind = TYPES[field.code] + (f"[{field.count}]" if field.vector else "")
    bounds = "" if field.low is None else f"; {field.low:g} to {field.high:g}, {_beyond(field)}"
    return f"`{name}`", kind, field.unit.symbol, field.doc + bounds


def _beyond(field: Field) -> str:
    return "else refused" if field.beyond == "refuse" else "else the bound counts"
