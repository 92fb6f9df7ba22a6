"""The reference page of the Python SDK, from its signatures and docstrings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from math import inf
from typing import Any, is_typeddict

import dorosim.client as sdk
from dorosim.bridge.grpc.bulk import BULK_COLUMNS
from dorosim.client.connection import Operations
from dorosim.client.receiver import SensorPorts
from dorosim.client.setting import settings_of
from dorosim.client.udp import UdpOperations
from tools.reference.markdown import table

_HEADINGS = ("Args:", "Returns:", "Raises:", "Attributes:")


def client_page() -> str:
    """The page of all operations, records and errors."""
    parts = [
        "# The Python SDK\n\n",
        "How to use it: [the guide](../how-to/client.md). `Client` has the operations below as methods;\n"
        "`AsyncClient` has the same with the same arguments, to be awaited.\n",
        "\n## Connecting\n",
        *(_section(name, getattr(sdk, name)) for name in ("connect", "connect_async", "Client", "AsyncClient")),
        *(_section(f"Client.{name}", getattr(sdk.Client, name)) for name in _own(sdk.Client)),
    ]

    for kind in Operations.__bases__:
        parts.append(f"\n## {_first_line(kind)}\n")
        parts += [_section(name, getattr(kind, name)) for name in _own(kind)]
    parts.append("\n## Sensors as objects\n")
    for one in (sdk.Sensor, sdk.Camera, sdk.Lidar):
        parts += [_section(f"{one.__name__}.{name}", getattr(one, name)) for name in _own(one)]
    parts += ["\n## Columns of states\n\n", _columns(), "\n## UDP\n"]
    for kind, base in ((sdk.UdpVehicle, UdpOperations), (sdk.SensorReceiver, SensorPorts)):
        parts += [_section(f"{one}{kind.__name__}", getattr(sdk, f"{one}{kind.__name__}")) for one in ("", "Async")]
        parts.append(_section(base.__name__, base))
        parts += [_section(f"{kind.__name__}.{name}", getattr(one, name)) for one in (base, kind) for name in _own(one)]
    shown = {"connect", "connect_async", "Client", "AsyncClient", "UdpVehicle", "SensorReceiver"}
    shown |= {"AsyncUdpVehicle", "AsyncSensorReceiver"}
    parts.append("\n## Records and errors\n")
    for name in sdk.__all__:
        if name not in shown:
            parts.append(_section(name, getattr(sdk, name)))
            parts += _record_methods(name, getattr(sdk, name))
    return "".join(parts)


def _record_methods(name: str, kind: Any) -> Iterator[str]:
    """What a record brings besides its fields."""
    if inspect.isclass(kind) and not issubclass(kind, Exception):
        for own in _own(kind):
            value = inspect.getattr_static(kind, own)
            if isinstance(value, classmethod) or (inspect.isfunction(value) and value.__doc__):
                yield _section(f"{name}.{own}", getattr(kind, own))


def _properties(kind: type) -> str:
    """Values that a class works out, with their types: the properties that it and what it is made of bring."""
    found = {
        name: value
        for one in reversed(kind.__mro__)
        for name, value in vars(one).items()
        if isinstance(value, property) and not name.startswith("_") and one.__module__.startswith("dorosim.")
    }
    lines = []
    for name, value in found.items():
        back = inspect.signature(value.fget).return_annotation if value.fget else inspect.Signature.empty
        kind_text = "" if back is inspect.Signature.empty else f" ({back})"
        text = " ".join(inspect.cleandoc(value.__doc__ or "").split("\n\n")[0].split())
        lines.append(f"- {name}{kind_text}: {text}")
    return "\n**Properties**\n\n" + "\n".join(lines) + "\n" if lines else ""


def _own(kind: type) -> Iterator[str]:
    """Names of the public methods that a class brings itself, in their order."""
    for name, value in vars(kind).items():
        if not name.startswith("_") and name != "run" and not isinstance(value, property):
            yield name


def _first_line(value: Any) -> str:
    return inspect.cleandoc(value.__doc__ or "").splitlines()[0].rstrip(".")


def _section(name: str, value: Any) -> str:
    text = f"\n### {name}\n\n"
    if is_typeddict(value):
        return f"{text}{_markdown(inspect.cleandoc(value.__doc__ or ''))}\n{_settings(value)}"
    if inspect.isfunction(value) or inspect.isclass(value):
        text += f"```python\n{_signature(name, value)}\n```\n\n"
    text += _markdown(inspect.cleandoc(value.__doc__ or ""))
    return text + (_properties(value) if inspect.isclass(value) else "")


def _signature(name: str, value: Callable[..., Any]) -> str:
    """As a user writes it, a line of it each where it is long."""
    if inspect.isclass(value) and issubclass(value, Exception | int):
        return f"{name}"
    found = inspect.signature(value)
    given = [one for one in found.parameters.values() if one.name != "self"]
    shown = [_parameter(one) for one in given]
    kinds = [one.kind for one in given]
    if inspect.Parameter.KEYWORD_ONLY in kinds:
        shown.insert(kinds.index(inspect.Parameter.KEYWORD_ONLY), "*")
    back = str(found.return_annotation) if found.return_annotation is not found.empty else ""
    inner = re.fullmatch(r"Steps\[(.*)\]", back)
    result = f" -> {inner[1] if inner else back}" if back and not inspect.isclass(value) else ""
    line = f"{name}({', '.join(shown)}){result}"
    return line if len(line) < 100 else f"{name}(\n    " + ",\n    ".join(shown) + f",\n){result}"


def _parameter(one: inspect.Parameter) -> str:
    kind = getattr(one.annotation, "__forward_arg__", one.annotation)
    if one.default is one.empty:
        return f"{one.name}: {kind}"
    default = repr(one.default)
    return f"{one.name}: {kind} = {default if len(default) < 40 else '...'}"


def _markdown(text: str) -> str:
    """A docstring: the entries under its headings become lists, indented examples stay."""
    lines, listing = [], False
    for line in text.splitlines():
        stripped = line.strip()
        if stripped in _HEADINGS:
            lines += [f"**{stripped.rstrip(':')}**", ""]
            listing = True
        elif not stripped:
            lines.append("")
            listing = False
        elif listing:
            more = line.startswith("     ")
            lines.append(f"  {stripped}" if more else f"- {stripped}")
        else:
            lines.append(line)
    return "\n".join(lines).rstrip() + "\n"


def _settings(kind: type) -> str:
    """Types, defaults and bounds of settings."""
    rows = []
    for name, (bare, setting) in settings_of(kind).items():
        words = str(bare).replace("typing.", "") if not isinstance(bare, type) else bare.__name__
        default = "that of the model, or none" if setting.default is None else _plain(setting.default)
        bound = ""
        if setting.most < inf:
            bound = f"{'above ' if setting.above else ''}{setting.least:.6g} to {setting.most:.6g}"
        rows.append((f"`{name}`", words.replace("|", "or"), default, bound))
    return table(("setting", "type", "default", "bounds"), rows)


def _plain(default: Any) -> str:
    return f"{default:.6g}" if isinstance(default, float) else str(default)


def _columns() -> str:
    rows: Iterable[tuple[str, ...]] = (
        (f"`{name}`", "text" if column.doc.startswith("text") else "number", str(column.width), column.unit, column.doc)
        for name, column in BULK_COLUMNS.items()
    )
    return table(("column", "kind", "width", "unit", "meaning"), rows)
