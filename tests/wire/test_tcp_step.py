"""The fixed step's messages: tables against the layouts of the notes, and properties of every one of them."""

from __future__ import annotations

import json
import math
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dorosim.ground.error import InputError
from dorosim.wire.error import WireError
from dorosim.wire.message import Field, Wire
from dorosim.wire.tcp_step import datagram, request
from dorosim.wire.tcp_step.catalogue import BY_NUMBER, PROCEDURES, failure, read_request
from dorosim.wire.tcp_step.codec import decode, encode, in_range, min_size
from dorosim.wire.tcp_step.frame import HEAD_SIZE, MAX_PAYLOAD, FrameClass, frame, read_head, read_step
from dorosim.wire.tcp_step.template import OBJECTS, WHEELS, read_template
from tests.shared import shared

DATAGRAMS = (datagram.VehicleInfo, datagram.WheelList, datagram.CollisionEvent, request.ManualControl)
MESSAGES = tuple(
    dict.fromkeys([form for one in PROCEDURES for form in (*one.requests, *one.responses)] + list(DATAGRAMS))
)
SIZES = {  # facts/tcp-fixed-step.md: bytes of requests and of answers, texts and lists empty
    0x1101: ({0}, {40, 44, 48}),
    0x1102: ({12, 16, 20}, {20}),
    0x1201: ({4}, {8}),
    0x1202: ({0}, {8}),
    0x1301: ({36}, {12}),
    0x1302: ({28}, {8}),
    0x1303: ({40, 32}, {8}),
    0x1304: ({16}, {8}),
    0x1401: ({0}, {20}),
    0x1402: ({4}, {8}),
    0x1504: ({0}, {12, 16}),
    0x1505: ({8}, {8}),
}
WHOLE = {"i": (-(2**31), 2**31 - 1), "I": (0, 2**32 - 1), "q": (-(2**63), 2**63 - 1), "Q": (0, 2**64 - 1)}


def number(field: Field) -> st.SearchStrategy:
    if not field.floating:
        return st.integers(*WHOLE[field.code])
    low, high = (-(2.0**90) if field.low is None else field.low), (2.0**90 if field.high is None else field.high)
    width = 32 if field.code == "f" else 64
    return st.floats(low, high, width=width, allow_nan=False).map(lambda value: value * field.unit.factor)


def value(field: Field) -> st.SearchStrategy:
    if field.kind in ("string", "rest"):
        return st.text(st.characters(exclude_categories=("Cs",)), max_size=40)
    if field.kind == "text":
        return st.text(st.characters(min_codepoint=33, max_codepoint=0x2FF), max_size=field.count // 2)
    if field.kind == "records":
        return st.lists(messages(field.record), max_size=4).map(tuple)
    return st.tuples(*[number(field)] * field.count) if field.vector else number(field)


def messages(kind: type[Wire]) -> st.SearchStrategy[Wire]:
    return st.builds(kind, **{field.name: value(field) for field in kind.table.fields})


@pytest.mark.parametrize("kind", MESSAGES, ids=lambda kind: kind.__name__)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_what_is_written_is_read_again_to_the_byte(kind, data):
    message = data.draw(messages(kind))
    raw = encode(message)
    again, clamped = decode(kind, raw)
    assert encode(again) == raw
    assert not clamped
    assert in_range(again)


@pytest.mark.parametrize("kind", MESSAGES, ids=lambda kind: kind.__name__)
@settings(max_examples=60, deadline=None)
@given(raw=st.binary(max_size=200))
def test_any_bytes_are_a_message_or_a_wire_error(kind, raw):
    try:
        message, _ = decode(kind, raw)
    except WireError:
        return
    assert in_range(message)


@pytest.mark.parametrize("kind", [one for one in MESSAGES if min_size(one)], ids=lambda kind: kind.__name__)
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_cut_messages_and_bytes_too_many_are_refused(kind, data):
    raw = encode(data.draw(messages(kind)))
    cut = data.draw(st.integers(0, len(raw) - 1))
    if kind.table.fields[-1].kind != "rest":
        with pytest.raises(WireError, match="bytes"):
            decode(kind, raw[:cut])
        with pytest.raises(WireError, match="bytes"):
            decode(kind, raw + b"\0")


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_numbers_that_are_none_are_refused(bad):
    with pytest.raises(WireError, match="throttle is"):
        decode(request.ManualControl, struct.pack("<ddd", bad, 0.0, 0.0))
    with pytest.raises(WireError, match="position is"):
        decode(request.CreateObject, struct.pack("<iffffffii", 1, 0, bad, 0, 0, 0, 0, 1, 1))


def test_sizes_are_those_of_the_notes():
    for code, (asked, answered) in SIZES.items():
        assert {min_size(one) for one in BY_NUMBER[code].requests} == asked, hex(code)
        assert {min_size(one) for one in BY_NUMBER[code].responses} == answered, hex(code)
    assert min_size(datagram.VehicleInfo) == 108 == struct.calcsize("<qi24s18f")
    assert min_size(datagram.CollisionObject) == 112 == struct.calcsize("<24sIqi18f")
    assert min_size(datagram.CollisionEvent) == 28
    assert min_size(datagram.WheelList) == 4


def test_a_list_longer_than_its_bytes_is_refused_before_it_is_read():
    raw = struct.pack("<I1sI0sI", 1, b"a", 1, b"", 0) + struct.pack("<I", 0xFFFFFFFF)
    with pytest.raises(WireError, match="are needed"):
        decode(request.SetTrajectory, raw)


def test_forms_are_told_apart_by_their_sizes():
    set_time = BY_NUMBER[0x1102]
    assert read_request(set_time, struct.pack("<iff", 3, 10.0, 1.0)).message == request.SetTimeMode(
        mode=3, fixed_delta=10.0, simulation_speed=1.0
    )
    assert isinstance(read_request(set_time, struct.pack("<iiif", 1, 60, 10, 1.0)).message, request.SetVariableTime)
    assert isinstance(read_request(set_time, struct.pack("<iiiii", 2, 16, 10, 1, 1)).message, request.SetFixedTime)
    for size in (0, 1, 11, 13, 19, 21, 400):
        with pytest.raises(WireError, match="bytes"):
            read_request(set_time, bytes(size))


def test_numbers_beyond_their_range_are_brought_into_it_and_named():
    message, clamped = decode(request.ManualControl, struct.pack("<ddd", 2.0, 0.5, -90.0))
    assert message == request.ManualControl(throttle=1.0, brake=0.5, steer_angle=-1.0)
    assert clamped == ("throttle", "steer_angle")


def test_every_failure_has_the_size_of_its_answer():
    for procedure in PROCEDURES:
        for form in procedure.responses:
            raw = encode(failure(procedure, 102, form))
            assert struct.unpack_from("<II", raw) == (102, 102)
            assert len(raw) == min_size(form)


@given(raw=st.binary(min_size=HEAD_SIZE, max_size=HEAD_SIZE))
def test_a_head_is_read_or_refused(raw):
    if raw[0] != 0x4D or struct.unpack_from("<I", raw, 6)[0] > MAX_PAYLOAD:
        with pytest.raises(WireError, match=r"begins with|are allowed"):
            read_head(raw)
        return
    head = read_head(raw)
    assert head.size <= MAX_PAYLOAD


def test_heads_are_those_of_the_notes():
    assert frame(FrameClass.RESPONSE, 0x1201, 7, bytes(8)) == struct.pack("<BBIIIH", 0x4D, 2, 0x1201, 8, 7, 0) + bytes(
        8
    )
    with pytest.raises(WireError, match="allowed"):
        frame(FrameClass.RESPONSE, 0x1201, 7, bytes(MAX_PAYLOAD + 1))


@given(request_id=st.integers(0, 2**32 - 1), steps=st.integers(0, 2**32 - 1), flag=st.integers(0, 2**16 - 1))
def test_the_quick_way_reads_a_step_as_the_long_one_does(request_id, steps, flag):
    raw = struct.pack("<BBIIIH", 0x4D, 1, 0x1201, 4, request_id, flag) + struct.pack("<I", steps)
    assert read_step(raw) == (request_id, steps)
    assert read_head(raw[:16])[3] == request_id
    assert read_request(BY_NUMBER[0x1201], raw[16:]).message.step_count == steps
    assert read_step(raw + b"M") == (request_id, steps)
    assert read_step(b"M\2" + raw[2:]) is None


# templates


def template(*fields: dict, repeat: tuple[dict, ...] = (), repeat_for: str = "") -> bytes:
    segments = [{"type": "fields", "fieldList": list(fields)}]
    if repeat:
        segments.append({"type": "Repeat", "repeatFieldName": repeat_for, "fieldList": list(repeat)})
    return json.dumps({"messageTemplate": {"name": "mine", "segmentList": segments}}).encode()


def field(path: str, kind: str, **rest) -> dict:
    return {"name": path.rpartition(".")[2], "variableName": path, "variableType": kind, **rest}


VEHICLE = datagram.VehicleInfo(
    seconds=12,
    nanos=340_000_000,
    id="Car_1",
    location=(1.0, 2.0, 3.0),
    rotation=(0.0, 0.0, math.pi / 2),
    local_velocity=(4.0, 5.0, 6.0),
    local_acceleration=(7.0, 8.0, 9.0),
    angular_velocity=(0.0, 0.0, math.pi),
    throttle=0.25,
    brake=0.5,
    steer_angle=-0.75,
)
WHEEL = tuple(datagram.WheelInfo(world_position=(float(n), 0.0, 1.0)) for n in range(4))
LANE_FOLLOW = "openscenario/morai/LaneFollow"


def test_the_layout_of_a_project_of_the_product_is_the_usual_one_with_wheels():
    path = shared(f"{LANE_FOLLOW}/Vehicle Info with wheel.tmpl")
    found = read_template(path.name, path.read_bytes())
    assert found.of is datagram.VehicleInfo
    assert found.repeated_for == WHEELS
    assert not found.unknown()
    assert found.encode(VEHICLE, WHEEL) == encode(VEHICLE) + encode(datagram.WheelList(wheels=WHEEL))
    values = struct.unpack("<qi24s18fi12f", found.encode(VEHICLE, WHEEL))
    assert values[:3] == (12, 340_000_000, b"Car_1".ljust(24, b"\0"))
    assert values[8] == pytest.approx(90.0)
    assert values[21:25] == (4, 0.0, 0.0, 1.0)


def test_the_layout_of_a_camera_of_the_product_is_that_of_a_picture():
    path = shared(f"{LANE_FOLLOW}/Camera Template.tmpl")
    found = read_template(path.name, path.read_bytes())
    assert found.is_picture
    assert found.of is None


def test_bytes_are_sent_in_pictures_alone():
    size, data = field("a.image_size", "INT32"), field("a.image_data", "BYTES")
    assert read_template("t", template(size, data)).is_picture
    assert not read_template("t", template(field("id", "STRING", length=24))).is_picture
    for fields in ((data,), (data, size), (size, data, size), (field("a.image_size", "FLOAT"), data)):
        with pytest.raises(InputError, match="has BYTES"):
            read_template("t", template(*fields))
    with pytest.raises(InputError, match="has BYTES"):
        read_template("t", template(size, data, repeat=(size,), repeat_for=WHEELS))


def test_types_and_order_are_those_of_the_template():
    base = "ground_vehicle_attributes.chassis_attributes."
    found = read_template(
        "t",
        template(
            field(f"{base}transform.location.y", "double"),
            field("id", "STRING", length=3),
            field("time_stamp.seconds", "UINT32"),
            field("its.colour", "FLOAT"),
        ),
    )
    assert found.encode(VEHICLE) == struct.pack("<d3sIf", 2.0, b"Car", 12, 0.0)
    assert found.unknown() == ["its.colour"]


def test_a_layout_of_collisions_has_a_row_for_each_object():
    found = read_template(
        "t",
        template(
            field("id", "STRING", length=24),
            field("collision_event_data.collision_object_count", "UINT32"),
            repeat=(field("object_type", "ENUM"), field("dimensions.length", "FLOAT")),
            repeat_for=OBJECTS,
        ),
    )
    rows = tuple(
        decode(datagram.CollisionObject, struct.pack("<24sIqi18f", b"x", kind, 0, 0, *[float(kind)] * 18)).message
        for kind in (1, 3)
    )
    event = datagram.CollisionEvent(id="Car_1", objects=rows)
    assert found.of is datagram.CollisionEvent
    assert found.encode(event, rows) == struct.pack("<24sIIfIf", b"Car_1", 2, 1, 1.0, 3, 3.0)


def test_what_comes_in_is_read_by_the_template():
    found = read_template("t", template(field("throttle", "double"), field("name", "STRING", length=4)))
    assert found.decode(struct.pack("<d4s", 0.5, b"ab\0c")) == {"throttle": 0.5, "name": "ab"}
    for raw in (b"", bytes(11), bytes(13), struct.pack("<d4s", math.nan, b""), struct.pack("<d4s", 0.0, b"\xff\xff")):
        with pytest.raises(WireError):
            found.decode(raw)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "is not JSON"),
        (b"[]", "is not an object"),
        (b"{}", "messageTemplate: is not an object"),
        (b'{"messageTemplate": {"segmentList": []}}', "has no FIELDS"),
        (b'{"messageTemplate": {"segmentList": [3]}}', r"segmentList\[0\]: is not an object"),
        (template(field("x", "QUATERNION")), "'QUATERNION' is not a type"),
        (template(field("x", "STRING")), "None is not a length"),
        (template(field("x", "STRING", length=-1)), "-1 is not a length"),
        (template(field("x", "FLOAT")).replace(b"fields", b"loop"), "type 'LOOP'"),
        (b"[" * 100_000, "is not"),
    ],
)
def test_a_broken_template_is_told_with_its_place(content, why):
    with pytest.raises(InputError, match=why):
        read_template("broken.tmpl", content)
