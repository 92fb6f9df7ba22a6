"""Files and names of the code that pages, decisions and docstrings cite are there."""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src/dorosim"
ROOTS = (ROOT, ROOT / "src", SOURCE, ROOT / "docs")
PAGES = sorted((*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")))
MODULES = sorted((*SOURCE.rglob("*.py"), *(ROOT / "tools").rglob("*.py")))
FILE = re.compile(r"(?<![\w./*<-])((?:[a-z_0-9.]+/)+[a-z_0-9]+\.(?:py|proto|msg))(?![\w/*])")
NAME = re.compile(r"(?<![\w./-])dorosim(?:\.[A-Za-z_]\w*)+")
MARKED = re.compile(r"`([^`\n]+)`")
ELSEWHERE = ("my_stack/", "grpc/reflection/", "src/dorosim/sensor/odometer.py", "tests/sensor/test_odometer.py")
"""Files of others, and those that an example makes."""
NOT_OURS = ("dorosim.toml", "dorosim.Bulk")
"""A settings file, and a service of gRPC."""


def text_of(path: Path) -> str:
    """What a person reads: a page whole, of a module its docstrings and comments."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        return re.sub(r"(?ms)^```.*?^```", "", text)
    strings = [node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant)]
    told = [one for one in strings if isinstance(one, str) and ("`" in one or "\n" in one)]
    return "\n".join((*told, *re.findall(r"#.*", text)))


def is_there(name: str) -> bool:
    """Whether a dotted name leads to a module, or to something in one."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        module = ".".join(parts[:length])
        try:
            found: object = importlib.import_module(module)
        except ModuleNotFoundError as error:
            if error.name is not None and not error.name.startswith("dorosim"):
                pytest.skip(f"needs {error.name}")
            continue
        for part in parts[length:]:
            if part in getattr(found, "__annotations__", {}):
                return True
            if not hasattr(found, part):
                return False
            found = getattr(found, part)
        return True
    return False


@pytest.mark.parametrize("path", [*PAGES, *MODULES], ids=lambda path: str(path.relative_to(ROOT)))
def test_what_is_cited_is_there(path):
    text = text_of(path)
    near = (
        path.parent,
        *ROOTS,
        *(SOURCE / floor for floor in ("bridge", "endpoint", "app", "wire", "world", "sensor")),
    )
    history = path.name == "CHANGELOG.md"
    made = set(re.findall(r'<!-- test: [^>]*file="([^"]+)"', text))
    lost = [
        cited
        for cited in FILE.findall(text)
        if not cited.startswith(ELSEWHERE)
        and not history
        and cited not in made
        and not any((root / cited).exists() for root in near)
    ]
    assert lost == [], "these files are not there"
    names = {name for marked in MARKED.findall(text) for name in NAME.findall(marked) if not name.startswith(NOT_OURS)}
    assert [name for name in sorted(names) if not is_there(name)] == []


def test_each_line_of_the_table_of_the_house_leads_somewhere():
    table = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").partition("## Where is it")[2].partition("\n## ")[0]
    rows = [row.split("|")[2] for row in table.splitlines() if row.startswith("| Where")]
    assert len(rows) >= 6
    for answer in rows:
        file = None
        for marked in MARKED.findall(answer):
            if marked.endswith(".py"):
                file = SOURCE / marked
                assert file.exists(), marked
            else:
                assert file is not None
                assert re.search(rf"(?m)^\s*(?:class|def) {marked}\b", file.read_text(encoding="utf-8")), marked
