"""The XML of OSM files: what is refused, with its place, and what cannot be reached by it."""

from __future__ import annotations

import pytest

from dorosim.ground.error import InputError
from dorosim.road.lanelet2 import document
from dorosim.road.lanelet2.document import parse_osm
from tests.road.lanelet2.sample import two_lanes

GOOD = two_lanes()


def change(old, new):
    content = GOOD.replace(old.encode(), new.encode(), 1)
    assert content != GOOD
    return content


def test_a_file_is_read_with_lines_and_tags():
    file = parse_osm("a.osm", GOOD)
    assert (len(file.nodes), len(file.ways), len(file.relations)) == (6, 3, 2)
    node = file.nodes[1]
    assert (node.x, node.y, node.height, node.line, dict(node.tags)) == (0.0, 7.0, 0.0, 4, {})
    assert file.meta["map_version"] == "3"
    assert [one.role for one in file.relations[10].members] == ["left", "right"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "a.osm: is not well-formed XML"),
        (b"<osm>", "a.osm: line 1: is not well-formed XML"),
        (b"\xff\xfe\x00", "a.osm"),
        (b"<OpenDRIVE/>", "a.osm: line 1: the root is <OpenDRIVE>, not <osm>"),
        (b"<gpx><node id='1'/></gpx>", "the root is <gpx>, not <osm>"),
        (b"<!DOCTYPE osm><osm/>", "has a document type"),
        (b"<!DOCTYPE osm [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><osm>&e;</osm>", "has a document type"),
        ('<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE osm><osm/>'.encode("utf-16"), "has a document type"),
        (change('id="1"', 'id="one"'), "line 4, <node>, attribute 'id': expected a whole number, found 'one'"),
        (change('id="1"', 'name="1"'), "attribute 'id': is missing; add it"),
        (change('id="1"', 'id="99999999999999999999"'), "attribute 'id': expected a whole number"),
        (change('id="2"', 'id="1"'), "node 1, attribute 'id': line 4 has this id, too"),
        (change('lat="3', 'lat="93'), "node 1, attribute 'lat': 935 is beyond 90 degrees"),
        (change('lon="139', 'lon="nan" x="'), "node 1, attribute 'lon': expected a finite number, found 'nan'"),
        (change('v="7.0"', 'v="inf"'), "node 1, tag 'local_y': expected a finite number, found 'inf'"),
        (change('v="7.0"', 'v="1e300"'), "node 1, tag 'local_y': expected a finite number"),
        (change('k="ele" v="0.0"', 'k="ele" v="high"'), "node 1, tag 'ele': expected a finite number, found 'high'"),
        (change('<tag k="ele" v="0.0"/>', '<tag k="ele"/>'), "node 1, <tag>, attribute 'v': is missing"),
        (change('<nd ref="1"/>', '<nd ref="?"/>'), "way 3, <nd>, attribute 'ref': expected a whole number, found '?'"),
        (change('<nd ref="1"/>', "<nd/>"), "way 3, <nd>, attribute 'ref': is missing"),
        (change('ref="3" role', 'ref="" role'), "<member>, attribute 'ref': expected a whole number, found ''"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(content, message):
    with pytest.raises(InputError) as error:
        parse_osm("a.osm", content)
    assert message in str(error.value)
    assert len(str(error.value)) < 300


def test_a_file_that_is_too_large_is_refused(monkeypatch):
    monkeypatch.setattr(document, "MAX_LANELET2_SIZE", 1000)
    with pytest.raises(InputError, match="is larger than"):
        parse_osm("a.osm", GOOD)


def test_nothing_outside_is_read(tmp_path):
    secret = tmp_path / "secret.xml"
    secret.write_text('<node id="77" lat="1" lon="1"/>')
    included = f'<osm><xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="{secret.as_uri()}"/></osm>'
    file = parse_osm("a.osm", included.encode())
    assert not file.nodes
    assert sum(file.unsupported.values()) == 1


def test_what_an_editor_has_deleted_is_passed_over():
    content = change('<node id="1"', '<node id="99" action="delete"/><node id="1"')
    assert 99 not in parse_osm("a.osm", content).nodes
    assert 98 not in parse_osm("a.osm", change('<way id="3"', '<way id="98" visible="false"/><way id="3"')).ways


def test_deep_nesting_is_refused():
    with pytest.raises(InputError, match="well-formed"):
        parse_osm("a.osm", b"<osm>" + b"<a>" * 1000 + b"</a>" * 1000 + b"</osm>")
