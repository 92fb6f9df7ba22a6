"""The table of types equals the schemas of OpenSCENARIO that ASAM's checker brings, and they find what it finds."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from tests.peers.environment import ASAM, LIMIT, ROOT, packages_of
from tests.scenario.openscenario.schema_files import VARIABLE

pytestmark = pytest.mark.peer
TESTS = tuple(f"tests/scenario/openscenario/test_{name}.py" for name in ("table", "schema"))


def test_the_table_equals_the_schemas():
    command = [sys.executable, "-m", "pytest", "-n", "0", "-rs", *TESTS]
    surroundings = os.environ | {VARIABLE: str(packages_of(ASAM))}
    done = subprocess.run(
        command, cwd=ROOT, env=surroundings, capture_output=True, text=True, timeout=LIMIT, check=False
    )
    assert done.returncode == 0, done.stdout[-4000:]
    assert "qc-openscenarioxml" not in done.stdout
    assert int(re.findall(r"(\d+) passed", done.stdout)[-1]) > 20
