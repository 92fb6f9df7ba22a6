"""Files and names of the code that pages, decisions and docstrings cite are there."""

from __future__ import annotations

import ast
import importlib
import re
from functools import lru_cache
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
ELSEWHERE = ("my_stack/", "grpc/reflection/")
"""Files of others."""
MADE = re.compile(r'<!-- test: [^>]*file="([^"]+)"')
"""A file that the page makes."""
NOT_OURS = ("dorosim.toml", "dorosim.Bulk")
"""A settings file, and a service of gRPC."""


@lru_cache(maxsize=1)
def text_of(path: Path) -> str:
    """What a person reads: a page whole, of a module its docstrings and comments."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        return re.sub(r"(?ms)^```.*?^```", "", text)
    strings = [node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant)]
    told = [one for one in strings if isinstance(one, str) and ("`" in one or "\n" in one)]
    return "\n".join((*told, *re.findall(r"#.*", text)))


class NotInstalledError(Exception):
    """A module needs a package that is not installed here."""


def is_there(name: str) -> bool:
    """Whether a dotted name leads to a module, or to something in one.

    Raises:
        NotInstalledError: it cannot be looked at here.
    """
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        module = ".".join(parts[:length])
        try:
            found: object = importlib.import_module(module)
        except ModuleNotFoundError as error:
            if error.name is not None and not error.name.startswith("dorosim"):
                raise NotInstalledError(error.name) from error
            continue
        for part in parts[length:]:
            if part in getattr(found, "__annotations__", {}):
                return True
            if not hasattr(found, part):
                return False
            found = getattr(found, part)
        return True
    return False


def folder_of(path: Path) -> str:
    """The folder of a page or module, as the ids of tests name it."""
    return str(path.parent.relative_to(ROOT))


@pytest.mark.parametrize("folder", sorted({folder_of(path) for path in (*PAGES, *MODULES)}))
def test_what_is_cited_is_there(folder):
    """One test a folder: there are 1,600 files, and most take a millisecond."""
    lost, unknown = [], set()
    for path in (*PAGES, *MODULES):
        if folder_of(path) == folder:
            lost += [f"{path.relative_to(ROOT)}: {cited}" for cited in lost_files(path)]
            for name in cited_names(path):
                try:
                    if not is_there(name):
                        lost.append(f"{path.relative_to(ROOT)}: {name}")
                except NotInstalledError as error:
                    unknown.add(str(error))
    assert lost == [], "what these cite is not there"
    if unknown:
        pytest.skip(f"needs {', '.join(sorted(unknown))}")


def lost_files(path: Path) -> list[str]:
    """Files that a page or module cites and that are not there."""
    text = text_of(path)
    near = (
        path.parent,
        *ROOTS,
        *(SOURCE / floor for floor in ("bridge", "endpoint", "app", "wire", "world", "sensor")),
    )
    history = path.name == "CHANGELOG.md"
    passed_over = (*ELSEWHERE, *MADE.findall(path.read_text(encoding="utf-8")))
    return [
        cited
        for cited in FILE.findall(text)
        if not cited.startswith(passed_over) and not history and not any((root / cited).exists() for root in near)
    ]


def cited_names(path: Path) -> set[str]:
    """Names of the code that a page or module cites."""
    marks = MARKED.findall(text_of(path))
    return {name for marked in marks for name in NAME.findall(marked) if not name.startswith(NOT_OURS)}


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
