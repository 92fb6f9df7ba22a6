"""The reference page of ROS, from the tables of topics and services and from the message definitions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from dorosim.bridge.ros.catalogue import PROVIDED, PUBLISHED, RANGES, SUBSCRIBED, WITHOUT_EFFECT
from dorosim.bridge.ros.sensor import SENSORS
from dorosim.bridge.ros.topic import Provided, Published, Subscribed
from dorosim.wire.ros.registry import GENERATIONS, Registry, registry_of
from dorosim.world.fault.code import POSSIBLE, FaultClass, FaultLocation, FaultSubclass, FaultTarget
from tools.reference.markdown import table

OURS = "morai_msgs/"


class Line(NamedTuple):
    """A field of a definition: its type, its name and its comment."""

    type: str
    name: str
    meaning: str


def ros_page() -> str:
    """The page of all topics, services and messages, and of what dorosim does with them."""
    return "".join(
        (
            "# ROS\n\n"
            "Units stand in brackets. The map frame is ENU: x east, y north, z up; headings are counter-clockwise\n"
            "from east. A body frame is x forward, y left, z up, at the centre of the rear axle on the ground;\n"
            "steering is left positive. Keys are those of `[ros.topic.KEY]` in `dorosim.toml`: `name`, `on`, and of\n"
            "what is published `rate_hz` (0: each tick) and `frame`. A topic or service whose type a generation of\n"
            "morai_msgs lacks is not offered with it. Modules are the PUBSUB_TYPE numbers of the product's network\n"
            "files. How to connect, units and signs: [ROS](../how-to/ros.md).\n\n"
            "Sources that begin with `documents/` are texts of the product's public pages, those that begin with\n"
            "`facts/` and `design/` notes; none of these is part of this project.\n",
            *_names(),
            *_rules(),
            *_faults(),
            "\n## Service types\n\n",
            table(("type", "meaning", "request", "response", "md5"), _service_rows()),
            "\n## Messages of morai_msgs\n",
            *(_section(name) for name in _messages()),
            "\n## Messages of other packages\n\n"
            "They are those of ROS Noetic: "
            + ", ".join(f"`{name}`" for name in registry_of("2024").types if not name.startswith(OURS))
            + ".\n",
        )
    )


def _names() -> Iterator[str]:
    """Topics and services, with the names that they have by default."""
    yield "\n## Topics from the simulator\n\n"
    yield table(
        ("key", "topic", "type", "rate [Hz]", "frame", "module", "generations"),
        [(*_head(row, row.topic), f"{row.rate_hz:g}", row.frame, *_tail(row)) for row in PUBLISHED],
    )
    yield (
        "\n## Topics of sensors\n\n"
        "They are there while there are sensors of the kind; `N` is the sensor's number, which the names of\n"
        "further sensors of a kind end with. They tell when the sensor reads. `camera_info` stands beside its\n"
        "picture, and `radar_points` is off unless `on = true`. An IMU that neither a sensor set nor\n"
        "`[ros.topic.imu]` names has both topics.\n\n"
    )
    yield table(
        ("key", "topic", "type", "frame", "generations"),
        [(*_head(row, row.topic), row.frame and f"{row.frame}-N", _tail(row)[1]) for row in SENSORS],
    )
    yield "\n## Topics to the simulator\n\n"
    yield table(
        ("key", "topic", "type", "module", "generations"),
        [(*_head(row, row.topic), *_tail(row)) for row in SUBSCRIBED],
    )
    yield "\n## Services\n\n"
    yield table(
        ("key", "service", "type", "module", "generations"),
        [(*_head(row, row.service), *_tail(row)) for row in PROVIDED],
    )


def _rules() -> Iterator[str]:
    """What becomes of fields that change nothing, and of numbers out of range."""
    yield "\n## Fields without effect\n\nThey are accepted, and change nothing.\n\n"
    yield table(("field", "why"), [(f"`{key}`", why) for key, why in sorted(WITHOUT_EFFECT.items())])
    yield (
        "\n## Ranges\n\n"
        "In the message's own unit. A number outside is clamped, which is logged, or refuses the whole message. NaN\n"
        "and infinity always refuse it, and so does a list of more than 2,000 entries.\n\n"
    )
    yield table(
        ("field", "from", "to", "others are"),
        [
            (f"`{key}`", f"{one.low:g}", f"{one.high:g}", "clamped" if one.beyond == "clamp" else "refused")
            for key, one in RANGES.items()
        ],
    )


def _faults() -> Iterator[str]:
    """The codes of faults, by where each of them can be."""
    yield (
        "\n## Fault codes\n\n"
        "Of `FaultInjection_Controller`, `FaultInjection_Tire`, `FaultInjection_Sensor` and `FaultStatusInfo`, and of\n"
        "both gRPC APIs. A class and subclass of 0 clear the faults of a place. Any other pair is refused, with a\n"
        "sentence. What each of them does: [Inject faults](../how-to/fault.md).\n\n"
    )
    yield table(
        ("fault_subclass", "fault_class", "meaning", "control", "tyre", "sensor"),
        [
            (
                str(int(one)),
                f"{int(one) // 100} {FaultClass(int(one) // 100).name.lower()}",
                one.name.replace("_", " ").lower(),
                *("yes" if one in POSSIBLE[target] else "" for target in FaultTarget),
            )
            for one in FaultSubclass
            if one
        ],
    )
    locations = ", ".join(f"{int(one)} {one.name.lower()}" for one in FaultLocation)
    tyres = ", ".join(
        f"{index} {name}" for index, name in enumerate(("front left", "front right", "rear left", "rear right"))
    )
    yield f"\n`fault_location` of a control: {locations}. `tire_index`: {tyres}.\n"


def message_anchor(name: str) -> str:
    """The fragment by which the heading of a message is linked to."""
    return name.replace("/", "").lower()


def _head(row: Published | Subscribed | Provided, name: str) -> tuple[str, str, str]:
    return f"`{row.key}`", f"`{name}`", _linked(row.type) if not isinstance(row, Provided) else f"`{row.type}`"


def _tail(row: Published | Subscribed | Provided) -> tuple[str, str]:
    return str(row.module or ""), ", ".join(_generations(row.type))


def _linked(name: str) -> str:
    return f"[{name}](#{message_anchor(name)})" if name.startswith(OURS) else f"`{name}`"


def _generations(name: str) -> list[str]:
    registries = [registry_of(generation) for generation in GENERATIONS]
    return [one.generation for one in registries if name in one.types or name in one.services]


def _messages() -> list[str]:
    """Message types of morai_msgs in any generation, without those that are halves of services."""
    registries = [registry_of(generation) for generation in GENERATIONS]
    halves = {
        half for one in registries for service in one.services.values() for half in (service.request, service.response)
    }
    return sorted({name for one in registries for name in one.types if name.startswith(OURS)} - halves)


def explained(registry: Registry, name: str) -> tuple[str, str, list[Line]]:
    """Meaning and source of a message type, and its fields."""
    head, lines = [], []
    for line in registry.text(name).splitlines():
        code, _, comment = line.partition("#")
        if code.strip():
            kind, field = code.split()
            lines.append(Line(kind, field, comment.strip()))
        elif comment:
            head.append(comment.strip())
    meaning = " ".join(one for one in head if not one.startswith("Source: "))
    source = next((one.removeprefix("Source: ") for one in head if one.startswith("Source: ")), "")
    return meaning, source, lines


def _section(name: str) -> str:
    found = [(generation, explained(registry_of(generation), name)) for generation in _generations(name)]
    meaning, source, _ = found[-1][1]
    md5s = _md5s({generation: registry_of(generation).md5(name) for generation, _ in found})
    fields: dict[Line, list[str]] = {}
    for generation, (_, _, lines) in found:
        for line in lines:
            fields.setdefault(line, []).append(generation)
    rows = [
        (f"`{line.name}`", _type(line.type), line.meaning, "" if len(in_them) == len(found) else ", ".join(in_them))
        for line, in_them in fields.items()
    ]
    body = table(("field", "type", "meaning", "only in"), rows)
    return f"\n### {name}\n\n{meaning}\n\nSource: {source} md5: {md5s}.\n\n{body}"


def _md5s(of_generation: dict[str, str]) -> str:
    """The sums of a type, each after the generations that have it."""
    generations: dict[str, list[str]] = {}
    for generation, md5 in of_generation.items():
        generations.setdefault(md5, []).append(generation)
    return "; ".join(f"{', '.join(names)}: `{md5}`" for md5, names in generations.items())


def _type(kind: str) -> str:
    base, bracket, rest = kind.partition("[")
    full = next((one for one in (base, f"{OURS}{base}") if one in _messages()), "")
    return f"{_linked(full)}{bracket}{rest}" if full else f"`{kind}`"


def _service_rows() -> Iterator[Iterable[str]]:
    every = {name for generation in GENERATIONS for name in registry_of(generation).services}
    names = sorted(name for name in every if name.startswith(OURS))
    for name in names:
        registry = registry_of(_generations(name)[-1])
        service = registry.services[name]
        meaning, _, ((request, *_),) = explained(registry, service.request)
        _, _, ((response, *_),) = explained(registry, service.response)
        md5s = _md5s({generation: registry_of(generation).services[name].md5 for generation in _generations(name)})
        yield f"`{name}`", meaning, _type(request), _type(response), md5s
