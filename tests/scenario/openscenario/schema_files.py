"""The schemas of OpenSCENARIO that the package asam-qc-openscenarioxml brings: read, never kept."""

from __future__ import annotations

import importlib.metadata
import os
import zipfile
from functools import cache
from pathlib import Path

import pytest
from lxml import etree

PACKAGE = "asam-qc-openscenarioxml"
VARIABLE = "DOROSIM_OPENSCENARIO_SCHEMAS"
"""Environment variable: a wheel of that package, or a folder with it, where it is not installed."""

PATCH = {"1.0": "1.0.0", "1.1": "1.1.1", "1.2": "1.2.0", "1.3": "1.3.0"}
"""Version of the table to release of the schema; 1.3.1 has the schema of 1.3.0."""

X = "{http://www.w3.org/2001/XMLSchema}"


@cache
def schema_bytes(release):
    """The schema of a release, or None where the package is not there."""
    name = f"qc_openscenario/schema/{release}/OpenSCENARIO.xsd"
    wheel = os.environ.get(VARIABLE)
    if wheel and Path(wheel).is_dir():
        return (Path(wheel) / name).read_bytes()
    if wheel:
        with zipfile.ZipFile(wheel) as files:
            return files.read(name)
    try:
        files = importlib.metadata.files(PACKAGE) or ()
    except importlib.metadata.PackageNotFoundError:
        return None
    found = [Path(one.locate()) for one in files if str(one) == name]
    return found[0].read_bytes() if found else None


def schema_root(version):
    """The root of the schema of a version; skips where the package is not there."""
    content = schema_bytes(PATCH[version])
    if content is None:
        pytest.skip(f"{PACKAGE} is not installed, and {VARIABLE} names no wheel of it")
    return etree.fromstring(content)


@cache
def validator(version):
    """The schema of a version, ready to check files."""
    return etree.XMLSchema(schema_root(version))
