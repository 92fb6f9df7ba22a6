"""Whether a file keeps to a schema that a user gives."""

from __future__ import annotations

from lxml import etree

from dorosim.ground.error import InputError
from dorosim.scenario.openscenario.finding import Finding, Level
from dorosim.scenario.openscenario.version import root_of_openscenario

_MAX_FINDINGS = 1_000


def check_against_schema(source: str, content: bytes, schema_source: str, schema: bytes) -> tuple[Finding, ...]:
    """All breaks of a schema.

    Args:
        source: the file, as messages name it.
        content: its bytes.
        schema_source: the schema, as messages name it.
        schema: its bytes; it can include no other ones.

    Raises:
        InputError: the schema is none, or the file is no XML.
    """
    parsed = root_of_xml_schema(schema_source, schema)
    root = root_of_openscenario(source, content)
    parsed.validate(root)
    return tuple(
        Finding(
            level=Level.BREAK,
            source=source,
            line=one.line,
            place="",
            problem=f"{one.message.rstrip('.')} ({schema_source})",
        )
        for one in list(parsed.error_log)[:_MAX_FINDINGS]
    )


def root_of_xml_schema(source: str, content: bytes) -> etree.XMLSchema:
    """A schema, ready to check files.

    Raises:
        InputError: it is none.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        return etree.XMLSchema(etree.fromstring(content, parser))
    except etree.XMLSyntaxError as error:
        raise InputError(source, f"line {error.lineno}", f"is not well-formed XML: {error.msg}", "check it") from None
    except (etree.XMLSchemaParseError, ValueError) as error:
        raise InputError(source, "", f"is no XML Schema: {error}", "give an .xsd file") from None
