"""The reference pages are those that the code makes, and cover all of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import dorosim.client as sdk
from dorosim.bridge.ros.catalogue import PROVIDED, PUBLISHED, SUBSCRIBED, WITHOUT_EFFECT
from dorosim.client.connection import Operations
from dorosim.wire.grpc.descriptor import methods
from dorosim.wire.ros.registry import GENERATIONS, registry_of
from dorosim.wire.udp.catalogue import CATALOGUE
from dorosim.world.fault.code import POSSIBLE, FaultClass, FaultSubclass, FaultTarget
from dorosim.world.mount.setting import SETTINGS
from dorosim.world.vehicle.catalogue import VEHICLE_MODELS
from tools.reference.grpc import anchor, grpc_page
from tools.reference.page import PAGES, page_of
from tools.reference.ros import ros_page

FOLDER = Path(__file__).parents[2] / "docs" / "reference"


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_up_to_date(name):
    assert (FOLDER / name).read_text(encoding="utf-8") == page_of(name), "run make docs"


def test_every_message_field_and_vehicle_is_in_the_reference():
    messages, vehicles = page_of("udp-messages.md"), page_of("vehicles.md")
    for message in CATALOGUE:
        assert f"### {message.__name__}" in messages
        assert all(f"`{field.name}`" in messages for field in message.table.fields)
    assert all(f"`{model.name}`" in vehicles for model in VEHICLE_MODELS)


def test_every_procedure_is_in_the_grpc_page_and_all_links_lead_somewhere():
    page = page_of("grpc.md")
    for method in methods():
        assert f"### {method.service}\n" in page
        assert f"| `{method.name}` | " in page
    headings = [line.lstrip("# ") for line in page.splitlines() if line.startswith("###")]
    anchors = [anchor(heading) for heading in headings]
    assert len(set(anchors)) == len(anchors)
    links = set(re.findall(r"\]\(#([^)]+)\)", page))
    assert links <= set(anchors)


def test_the_grpc_page_says_what_is_supported_and_how():
    page = grpc_page()
    rows = {line.split("`")[1]: line for line in page.splitlines() if line.startswith("| `") and line.count("|") == 6}
    assert rows["LoadMap"].endswith("| yes |")
    assert rows["Connect"].endswith("| yes, as a stream |")
    assert not [name for name, row in rows.items() if row.endswith("| no |")], "every procedure is done"
    assert "| `RenderingMode.enable` | " in page


def test_the_ros_page_has_every_topic_service_message_and_field_and_all_links_lead_somewhere():
    page = page_of("ros.md")
    for row in (*PUBLISHED, *SUBSCRIBED):
        assert f"| `{row.key}` | `{row.topic}` | " in page
    assert all(f"| `{row.key}` | `{row.service}` | `{row.type}` | " in page for row in PROVIDED)
    assert all(f"| `{key}` | {why} |" in page for key, why in WITHOUT_EFFECT.items())
    for generation in GENERATIONS:
        registry = registry_of(generation)
        for service in registry.services.values():
            assert service.md5 in page or service.name.startswith("rosapi/"), "rosapi is that of rosbridge"
        halves = {half for one in registry.services.values() for half in (one.request, one.response)}
        for name in registry.types:
            if name.startswith("morai_msgs/") and name not in halves:
                section = page.partition(f"\n### {name}\n")[2].partition("\n### ")[0]
                assert registry.md5(name) in section, name
                assert all(f"| `{field}` |" in section for field, _ in registry.fields(name)), name
    anchors = [line.lstrip("# ").replace("/", "").lower() for line in page.splitlines() if line.startswith("###")]
    assert len(set(anchors)) == len(anchors)
    assert set(re.findall(r"\]\(#([^)]+)\)", page)) <= set(anchors)


def test_the_ros_page_has_the_codes_of_faults():
    page = ros_page()
    rows = {line.split("|")[1].strip(): line for line in page.splitlines() if line.startswith("|")}
    for one in FaultSubclass:
        if one:
            told = [cell.strip() for cell in rows[str(int(one))].split("|")[2:-1]]
            assert told[0] == f"{one // 100} {FaultClass(one // 100).name.lower()}"
            assert [cell == "yes" for cell in told[2:]] == [one in POSSIBLE[target] for target in FaultTarget]
    assert "2 accelerator, 3 brake, 4 steering" in page
    assert "## Fault codes" in page


def test_every_operation_and_record_of_the_sdk_is_in_its_page():
    page = page_of("client.md")
    for name in (
        *sdk.__all__,
        *(name for name in dir(Operations) if not name.startswith("_") and name not in {"key", "run"}),
    ):
        assert f"### {name}\n" in page, name


def test_every_setting_of_every_kind_of_sensor_is_in_its_page_with_a_meaning():
    page = page_of("sensors.md")
    for kind, settings in SETTINGS.items():
        section = page.partition(f"\n## {kind.name.lower()}\n")[2].partition("\n## ")[0]
        rows = {line.split("`")[1]: line for line in section.splitlines() if line.startswith("| `")}
        for name in settings.__struct_fields__:
            assert not rows[name].endswith("|  |"), f"{kind.name}.{name} has no meaning in its docstring"
    assert '| `image` | `"rgb"` | `"rgb"` (0), `"depth"` (1)' in page
    assert "| `fov` | `1.0472` | a number above 0 and at most 2π | whole angles [rad] |" in page
