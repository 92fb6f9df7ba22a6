"""The classes of the records are the schemas: every type, attribute, element, requirement and word of each version."""

from __future__ import annotations

import pytest

from dorosim.scenario.openscenario.plan import plan_of, tags_of, word_since
from dorosim.scenario.openscenario.record.table import TYPE_TABLES, TYPES, VERSIONS, WORD_TABLES, WORDS, Content, Kind
from tests.scenario.openscenario.schema_files import X, schema_root
from tests.shared import SHARED

BASE = {
    "parameter", "expression", "Boolean", "DateTime", "Double", "Int", "String", "UnsignedInt", "UnsignedShort"
}  # fmt: skip
"""Simple types that are numbers, texts and references: Python's own types stand for them."""


def is_deprecated(node):
    return any((one.text or "").strip() == "deprecated" for one in node.findall(f"{X}annotation/{X}appinfo"))


def of_schema(version):
    """All types of a schema: words as a set, others as (arrangement, attributes, elements)."""
    types = {}
    for node in schema_root(version):
        if node.tag == f"{X}simpleType" and node.get("name") not in BASE:
            words = {(one.get("value"), is_deprecated(one)) for one in node.iter(f"{X}enumeration")}
            types[node.get("name")] = (is_deprecated(node), words)
        elif node.tag in (f"{X}complexType", f"{X}group"):
            attributes = {
                (one.get("name"), one.get("type"), one.get("use") == "required", is_deprecated(one))
                for one in node.iter(f"{X}attribute")
            }
            kinds = (f"{X}sequence", f"{X}choice", f"{X}all")
            content = next((one for one in node if one.tag in kinds), None)
            parts = []
            for one in content if content is not None else ():
                name = one.get("name") or f"group {one.get('ref')}"
                kind = one.get("type") or one.get("ref")
                least, most = int(one.get("minOccurs", "1")), one.get("maxOccurs", "1")
                parts.append((name, kind, least, most == "unbounded", is_deprecated(one)))
            arrangement = "sequence" if content is None else content.tag.removeprefix(X)
            has_text = node.find(f"{X}simpleContent") is not None
            ordered = tuple(parts) if arrangement == "sequence" else tuple(sorted(parts))
            types[node.get("name")] = (is_deprecated(node), has_text, arrangement, attributes, ordered)
    return types


def of_records(version):
    """The same of the classes."""
    types = {}
    for name, kind in WORDS.items():
        table = WORD_TABLES[kind]
        if table.since <= version:
            words = {
                (str(word), bool(word.deprecated) and word.deprecated <= version)
                for word in kind
                if word_since(word, table.since) <= version
            }
            types[name] = (bool(table.deprecated) and table.deprecated <= version, words)
    for name, kind in TYPES.items():
        table = TYPE_TABLES[kind]
        if table.since not in VERSIONS or table.since > version:
            continue
        plan = plan_of(kind)
        attributes = {
            (one.xml, one.type_name, one.must_be_in(version), deprecated(one.table, version))
            for one in plan.attributes.values()
            if one.is_in(version)
        }
        before = table.content_before
        content = before[1] if before and version <= before[0] else table.content
        parts = [part(one, content, table, version) for one in plan.parts if one.is_in(version)]
        ordered = tuple(parts) if content is Content.SEQUENCE else tuple(sorted(parts))
        is_old = bool(table.deprecated) and table.deprecated <= version
        types[name] = (is_old, plan.text is not None, content.value, attributes, ordered)
    return types


def deprecated(table, version):
    return bool(table.deprecated) and table.deprecated <= version


def part(one, content, table, version):
    """Name, type, least number, whether there may be several, and whether it is deprecated, of a field."""
    single = one.is_single(version)
    if content is Content.CHOICE:
        least = 1 if table.choice_required and table.choice_required <= version else 0
    else:
        least = (1 if single else one.table.least) if one.must_be_in(version) else 0
    name = one.xml or f"group {one.type_name}"
    return (name, one.type_name, least, not single, deprecated(one.table, version))


@pytest.mark.parametrize("version", VERSIONS)
def test_the_table_is_the_schema(version):
    schema, ours = of_schema(version), of_records(version)
    assert ours.keys() == schema.keys()
    different = {name: (ours[name], schema[name]) for name in schema if ours[name] != schema[name]}
    assert different == {}


def test_all_named_types_have_a_class():
    listed = SHARED / "facts" / "openscenario-types.txt"
    if not listed.exists():
        pytest.skip("the list of named types is not there")
    names = {line.split()[1] for line in listed.read_text(encoding="utf-8").splitlines() if line[0] != "#"}
    ours = {name for name, kind in TYPES.items() if TYPE_TABLES[kind].since in VERSIONS} | WORDS.keys() | BASE
    assert names - ours == set()
    assert ours - names == set()


def test_no_element_belongs_to_two_fields():
    """So each element of a file has one meaning where it stands."""
    for kind in TYPES.values():
        tags = [tag for one in plan_of(kind).parts for tag in tags_of(one)]
        assert len(tags) == len(set(tags)), kind
        assert all(one.table.kind is not Kind.TEXT for one in plan_of(kind).parts)
