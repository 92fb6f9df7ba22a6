"""The .proto files: equal to the facts on the interface, explained throughout, and the source of the committed sets."""

from __future__ import annotations

import json
import re

import pytest
from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorSet
from google.protobuf.message_factory import GetMessageClass

from dorosim.wire.grpc.descriptor import file_names, methods, pool
from dorosim.wire.grpc.explanation import Explanations
from tests.shared import shared
from tests.wire.grpc.message_strategy import F, all_descriptors
from tools.proto import WIRE, compile_descriptors

TYPES = {number: name[5:].lower() for name, number in FieldDescriptorProto.Type.items()}


def enums():
    """Every enum of the three APIs, those inside messages too."""
    top = [e for name in file_names() for e in pool().FindFileByName(name).enum_types_by_name.values()]
    return top + [e for descriptor in all_descriptors() for e in descriptor.enum_types]


def type_of(field):
    kind = field.message_type or field.enum_type
    return ("repeated " if field.is_repeated else "") + (kind.full_name if kind else TYPES[field.type])


def of(package, things):
    return {thing.full_name: thing for thing in things if thing.file.package.split(".")[0] == package}


def test_there_are_as_many_messages_and_enums_as_documented():
    top = [descriptor for descriptor in all_descriptors() if descriptor.containing_type is None]
    assert len(of("morai_msgs", top)) == 107
    assert len(of("morai_sim_api", top)) == 124
    assert len(of("morai_sim_api", enums())) == 41


def test_the_standard_api_has_the_facts_names_numbers_and_types():
    files = json.loads(shared("facts/standard-api.json").read_text())["files"]
    assert len(files) == 50
    ours = of("morai_sim_api", all_descriptors())
    our_enums = of("morai_sim_api", enums())
    seen, seen_enums, seen_methods = set(), set(), set()
    for name, file in files.items():
        descriptor = pool().FindFileByName(name)
        assert descriptor.package == file["package"]
        waiting = [(f"{file['package']}.{key}", table) for key, table in file.get("messages", {}).items()]
        while waiting:
            full, table = waiting.pop()
            waiting += [(f"{full}.{key}", inner) for key, inner in table.get("nested", {}).items()]
            theirs = {
                (f["no"], f["name"], ("repeated " if f.get("repeated") else "") + f["type"], f.get("oneof"))
                for f in table["fields"]
            }
            assert {
                (f.number, f.name, type_of(f), f.containing_oneof.name if f.containing_oneof else None)
                for f in ours[full].fields
            } == theirs
            assert ours[full].file.name == name
            seen.add(full)
        for key, values in file.get("enums", {}).items():
            full = f"{file['package']}.{key}"
            assert {v.name: v.number for v in our_enums[full].values} == values
            seen_enums.add(full)
        for service, table in file.get("services", {}).items():
            seen_methods |= {(f"/{file['package']}.{service}/{key}", *ends) for key, ends in table.items()}
    assert seen == set(ours)
    assert seen_enums == set(our_enums)
    assert seen_methods == {
        (m.path, m.request.DESCRIPTOR.full_name, m.response.DESCRIPTOR.full_name)
        for m in methods()
        if m.api == "standard"
    }


def facts_of_the_documented_api():
    """Messages of the facts file: name to {(number, name, type)}, read without protoc."""
    text = re.sub(r"//.*", "", shared("facts/legacy-api.proto").read_text())
    found = {}
    for full, body in blocks(text, "morai_msgs"):
        own = re.sub(r"\b(message|enum)\s+\w+\s*\{[^{}]*\}", "", body)
        fields = re.findall(r"(repeated\s+)?([\w.]+)\s+(\w+)\s*=\s*(\d+)\s*;", own)
        found[full] = {(int(no), name, bool(many), kind.split(".")[-1]) for many, kind, name, no in fields}
    return found


def blocks(text, scope):
    for match in re.finditer(r"\bmessage\s+(\w+)\s*\{", text):
        depth, end = 1, match.end()
        while depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        yield f"{scope}.{match[1]}", text[match.end() : end - 1]


def test_the_documented_api_has_the_facts_names_numbers_and_types():
    theirs = facts_of_the_documented_api()
    ours = of("morai_msgs", all_descriptors())
    assert {full.split(".")[-1] for full in ours} == {full.split(".")[-1] for full in theirs}
    for full, descriptor in ours.items():
        fields = {
            (f.number, f.name, f.is_repeated, type_of(f).split(" ")[-1].split(".")[-1]) for f in descriptor.fields
        }
        assert fields == theirs[f"morai_msgs.{descriptor.name}"], full


def test_the_documented_api_has_the_facts_procedures():
    text = re.sub(r"//.*", "", shared("facts/legacy-api.proto").read_text())
    theirs = set(re.findall(r"rpc\s+(\w+)\s*\((?:stream )?(\w+)\)\s*returns\s*\((?:stream )?(\w+)\)", text))
    ours = {(m.name, m.request.DESCRIPTOR.name, m.response.DESCRIPTOR.name) for m in methods() if m.api == "documented"}
    assert ours == theirs


def test_colours_are_sums_of_lamps_in_both_apis():
    def colours(full):
        return {v.name.removeprefix("TL_COLOR_"): v.number for v in pool().FindEnumTypeByName(full).values if v.number}

    documented = colours("morai_msgs.TrafficLight.LightColor")
    assert documented == colours("morai_sim_api.infrastructure.TrafficLightColor")
    assert documented["R_WITH_GLEFT"] == documented["R"] + documented["LG"] == 33


def test_everything_is_explained():
    explanations = Explanations.load()
    names = [d.full_name for d in all_descriptors()]
    names += [field.full_name for d in all_descriptors() for field in d.fields]
    names += [e.full_name for e in enums()]
    names += [f"{m.service}.{m.name}" for m in methods()] + [m.service for m in methods()]
    assert [name for name in names if not explanations.of(name)] == []


def test_the_committed_sets_are_what_the_files_give():
    pytest.importorskip("grpc_tools")
    for name, data in compile_descriptors().items():
        committed = FileDescriptorSet.FromString((WIRE / "generated" / name).read_bytes())
        assert committed == FileDescriptorSet.FromString(data), f"{name}: run `make proto`"


def test_the_lean_set_is_the_commented_one_without_comments():
    lean, commented = (
        FileDescriptorSet.FromString((WIRE / "generated" / name).read_bytes())
        for name in ("descriptors.binpb", "comments.binpb")
    )
    for file in commented.file:
        file.ClearField("source_code_info")
    assert lean == commented


def test_every_class_can_be_made():
    for descriptor in all_descriptors():
        assert GetMessageClass(descriptor)().SerializeToString() == b""
    assert F.TYPE_GROUP not in {field.type for d in all_descriptors() for field in d.fields}


def test_comments_stand_at_what_they_explain():
    explanations = Explanations.load()
    assert explanations.of("morai_msgs.EgoState.velocity").startswith("[km/h] velocity")
    assert explanations.of("morai_msgs.TrafficLight.LightColor.SG") == "green, straight on"
    assert explanations.of("morai_msgs.TrafficLight.TLSchedule.duration") == "[s] how long it lasts"
    assert explanations.of("morai_sim_api.util.Util.RayCast").startswith("[m] how far")
    assert explanations.of("morai_sim_api.sensor.SensorSetting.Settings") != ""
    assert explanations.of("morai_msgs.proto").startswith("MORAI SIM's gRPC API")
    assert explanations.of("morai_msgs.Nothing") == ""
