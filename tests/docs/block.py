"""The blocks of code in the pages, with what the marks before them say.

A mark is a comment before a block, which readers do not see: `<!-- test: background until="Ctrl-C ends" -->`.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import yaml
from markdown_it import MarkdownIt

ROOT = Path(__file__).parents[2]
WORKFLOW = "examples/ci/github-actions.yml"
MARK = re.compile(r"<!--\s*test:\s*(.*?)\s*-->", re.DOTALL)
MARKS = {
    "background": "the block is a program that goes on, until the next one that does, or the end of the page",
    "each": "each line is a program that goes on; they run one after the other",
    "until": "text that such a program prints when it is ready",
    "beside": "the program before it goes on, too",
    "again": "the block may come too early for a program in the background; it is tried until it succeeds",
    "alone": "programs that go on are stopped before",
    "stop": "the program that was begun last is stopped before",
    "exit": "status with which the block ends",
    "file": "the block is a file of this name, which the blocks behind it find",
    "change": "the block is lines to be taken out and put in, in this file",
    "append": "the block is put at the end of this file",
    "output": "what the block before it prints, numbers aside unless it is exact; a line of dots stands for any lines",
    "network": "TOML of a network settings file",
    "plan": "TOML of the plan of a sweep",
    "example": "lines of a file that is there: the path",
    "first": "a line of Python that comes before the block",
    "played": "the test that plays it",
    "prop": "a file that the reader has: `tests/docs/sandbox.py` makes it",
    "needs": "programs that the machine must have",
}
"""What a mark may say."""


@dataclass(frozen=True, kw_only=True)
class Block:
    """A block of code: its page, relative to the project, its first line, its language and its text."""

    page: str
    line: int
    language: str
    text: str
    marks: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"

    @property
    def head(self) -> str:
        return self.text.splitlines()[0] if self.text else ""


def pages() -> list[str]:
    """Pages whose blocks are looked at: README, CONTRIBUTING, docs/ without what the code makes, and the workflow."""
    found = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")), ROOT / WORKFLOW]
    return [path.relative_to(ROOT).as_posix() for path in found if path.parent.name != "reference"]


@cache
def blocks_of(page: str) -> list[Block]:
    """The blocks of a page, in order; of a workflow, its commands."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return list(_commands(page, text) if page.endswith(".yml") else _blocks(page, text))


def _commands(page: str, text: str) -> Iterator[Block]:
    for job in yaml.safe_load(text)["jobs"].values():
        for step in job["steps"]:
            if "run" in step:
                line = text[: text.index(step["run"])].count("\n") + 1
                yield Block(page=page, line=line, language="sh", text=step["run"])


def _blocks(page: str, text: str) -> Iterator[Block]:
    marks: dict[str, str] = {}
    for token in MarkdownIt().parse(text):
        if token.type == "html_block":
            for found in MARK.finditer(token.content):
                marks |= _marks(found[1], f"{page}:{(token.map or [0])[0] + 1}")
            continue
        if token.type in {"fence", "code_block"}:
            line = (token.map or [0])[0] + 1
            yield Block(page=page, line=line, language=token.info.strip(), text=token.content, marks=marks)
        assert not marks or token.type in {"fence", "code_block"}, f"{page}: a mark stands before no block: {marks}"
        marks = {}


def _marks(text: str, place: str) -> dict[str, str]:
    found = {}
    for word in shlex.split(text):
        name, _, value = word.partition("=")
        assert name in MARKS, f"{place}: the mark {name!r} means nothing; there are {', '.join(MARKS)}"
        found[name] = value
    return found
