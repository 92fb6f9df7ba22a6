"""Broken copies of OpenDRIVE files."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

NUMBERS = (
    *("nan", "NaN", "inf", "-inf", "1e308", "-1e308", "1e-308", "1e9", "-1e9", "1e6", "0", "-0", "-1", "1", ""),
    *("1e", "0x10", "1_0", "1,5", "none", "true", "9" * 400, "\u0661", "1e-12", "999999", "0.0000001"),
)
VALUE = re.compile(rb'="([^"]*)"')
ATTRIBUTE = re.compile(rb' [A-Za-z]+="[^"]*"')
ELEMENT = re.compile(rb"<(\w+)[^<>]*?/>")


def _replaced(content: bytes, match: re.Match[bytes], new: bytes, group: int = 0) -> bytes:
    return content[: match.start(group)] + new + content[match.end(group) :]


def _one_of(pattern: re.Pattern[bytes], content: bytes, luck: random.Random) -> re.Match[bytes] | None:
    """A match that starts behind a place chosen at random, or the first one."""
    return pattern.search(content, luck.randrange(len(content))) or pattern.search(content)


def change_value(content: bytes, luck: random.Random) -> bytes:
    """Another value for an attribute."""
    match = _one_of(VALUE, content, luck)
    return _replaced(content, match, luck.choice(NUMBERS).encode(), 1) if match else content


def swap_values(content: bytes, luck: random.Random) -> bytes:
    """The value of another attribute for an attribute."""
    match, other = _one_of(VALUE, content, luck), _one_of(VALUE, content, luck)
    return _replaced(content, match, other.group(1), 1) if match and other else content


def drop_attribute(content: bytes, luck: random.Random) -> bytes:
    """An attribute less."""
    match = _one_of(ATTRIBUTE, content, luck)
    return _replaced(content, match, b"") if match else content


def drop_element(content: bytes, luck: random.Random) -> bytes:
    """An element less."""
    match = _one_of(ELEMENT, content, luck)
    return _replaced(content, match, b"") if match else content


def repeat_element(content: bytes, luck: random.Random) -> bytes:
    """An element several times."""
    match = _one_of(ELEMENT, content, luck)
    return _replaced(content, match, match.group(0) * luck.choice((2, 3, 200))) if match else content


def move_element(content: bytes, luck: random.Random) -> bytes:
    """An element at the place of another one."""
    match, other = _one_of(ELEMENT, content, luck), _one_of(ELEMENT, content, luck)
    return _replaced(content, match, other.group(0)) if match and other else content


def change_byte(content: bytes, luck: random.Random) -> bytes:
    """Another byte somewhere."""
    place = luck.randrange(len(content))
    return content[:place] + bytes([luck.randrange(256)]) + content[place + 1 :]


def cut(content: bytes, luck: random.Random) -> bytes:
    """The end is missing, or a piece of the middle."""
    start = luck.randrange(len(content))
    return content[:start] + content[start + luck.choice((1, 10, 100, len(content))) :]


KINDS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    *(change_value, change_value, change_value, swap_values, drop_attribute, drop_element),
    *(repeat_element, move_element, change_byte, cut),
)


def mutated(content: bytes, seed: int) -> bytes:
    """A copy with one to four changes; the same seed makes the same copy."""
    luck = random.Random(seed)
    for _ in range(luck.randint(1, 4)):
        if content:
            content = luck.choice(KINDS)(content, luck)
    return content
