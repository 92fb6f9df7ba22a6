"""Broken copies of OpenSCENARIO files."""

from __future__ import annotations

import random
import re

from tests.road.opendrive.mutation import mutated

VALUE = re.compile(rb'="([^"]*)"')
TAG = re.compile(rb"</?(\w+)")
WORDS = (
    *("$a", "${1/0}", "${$a}", "${((((", "${pow(9,9)*-1}", "${" + "-" * 300 + "1}", "$", "${}", "$EgoSpeed", "true"),
    *("rising", "1900-01-01T00:00:00", "2024-02-30T00:00:00", "..\\..\\x", "/etc/passwd", "INF", "VehicleCatalog"),
)
NAMES = (b"Position", b"Vehicle", b"Trailer", b"CatalogReference", b"ParameterDeclarations", b"Event", b"Odd")


def mutated_scenario(content, seed):
    """A broken copy: of values and elements, as those of OpenDRIVE are, and of names and references."""
    luck = random.Random(seed)
    for _ in range(luck.choice((0, 1, 3))):
        matches = list(VALUE.finditer(content)) if luck.random() < 0.5 else []
        if matches:
            match, new = luck.choice(matches), luck.choice(WORDS).encode()
            content = content[: match.start(1)] + new + content[match.end(1) :]
    if luck.random() < 0.3:
        old, new = luck.choice(TAG.findall(content)), luck.choice(NAMES)
        content = re.sub(rb"(</?)" + old + rb"\b", rb"\1" + new, content)
    return mutated(content, seed) if luck.random() < 0.7 else content
