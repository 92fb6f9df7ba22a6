"""Every block of code in the pages is run, read by the program that it is for, or listed with the reason why not."""

from __future__ import annotations

import json

import pytest
import yaml

from dorosim.app.setting.network import read_network
from dorosim.app.setting.settings import read_settings
from dorosim.app.sweep.plan_file import plan_from_text
from tests.docs.block import ROOT, Block, blocks_of, pages
from tests.docs.player import is_played, missing
from tests.docs.shown import SHOWN, reason_for

BLOCKS = {page: list(blocks_of(page)) for page in pages()}
every_page = pytest.mark.parametrize("page", BLOCKS)


@every_page
def test_a_block_is_run_read_or_listed(page: str, tmp_path):
    needed = set[str]()
    for block in BLOCKS[page]:
        try:
            needed |= not_there(block, tmp_path)
        except Exception as error:
            error.add_note(str(block))
            raise
    if needed:
        pytest.skip(f"not all is run here: there is no {', '.join(sorted(needed))}")


def not_there(block: Block, folder) -> set[str]:
    """Look that a block is run, read or listed; programs that it needs and that are not installed here."""
    assert block.language, f"{block}: give it three backticks and a language"
    marks = block.marks
    if reason_for(block) or "played" in marks:
        return set()
    if "example" in marks:
        assert_lines_stand_in(block, ROOT / marks["example"])
    elif block.language == "toml":
        assert_settings(block, folder)
    elif block.language == "json":
        json.loads(block.text)
    elif block.language == "yaml":
        yaml.safe_load(block.text)
    else:
        if missing(block):
            return set(missing(block))
        assert is_played(block), f"{block}: nothing runs this block; mark it, or list it in tests/docs/shown.py"
    return set()


def test_a_block_that_another_test_plays_names_it():
    played = [block for blocks in BLOCKS.values() for block in blocks if "played" in block.marks]
    assert played
    for block in played:
        path = ROOT / block.marks["played"]
        assert path.name.startswith("test_")
        assert name_of_page(block) in path.read_text(), f"{path} does not read {block.page}"


def test_what_is_listed_is_there():
    there = {(block.page, block.head.strip()) for blocks in BLOCKS.values() for block in blocks}
    assert SHOWN.keys() <= there, "listed in tests/docs/shown.py and on no page"


def name_of_page(block: Block) -> str:
    return block.page.rpartition("/")[2]


def assert_settings(block: Block, folder) -> None:
    """The text is a settings file, one of network settings, or the plan of a sweep."""
    path = folder / "dorosim.toml"
    path.write_text(block.text)
    if "plan" in block.marks:
        _, problems = plan_from_text(block.text, str(block), ROOT)
        assert not problems
    elif "network" in block.marks:
        read_network(path)
    else:
        read_settings(path)


def assert_lines_stand_in(block: Block, path) -> None:
    """The block is an excerpt: its lines stand in the file, in order."""
    lines = iter(line.strip() for line in path.read_text().splitlines())
    for line in block.text.splitlines():
        if line.strip() not in {"", "..."}:
            assert line.strip() in lines, f"{block}: {line!r} is not in {path.name}, in this order"
