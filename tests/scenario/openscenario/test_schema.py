"""The check against a version finds what the schema of that version finds, in real files and in broken ones."""

from __future__ import annotations

import copy
import random

import pytest
from lxml import etree

from dorosim.scenario.openscenario.finding import Findings, Level
from dorosim.scenario.openscenario.record.table import VERSIONS
from dorosim.scenario.openscenario.schema import check_against_version
from dorosim.scenario.openscenario.version import root_of_openscenario
from tests.scenario.openscenario.sample import MATERIAL, event, private, scenario
from tests.scenario.openscenario.schema_files import validator

VALUES = (
    *("", "$a", "${1+2}", "${a", "1", "-1", "1.5", "x", "true", "INF", "NaN", "-INF", " 1 ", "1e3", "99999999999", "0"),
    *("2020-02-30T00:00:00", "2020-02-29T24:00:00Z", "rising", " true", "+5", ".5", "5.", "$1a", "${$a*2}"),
)
MAX_NODES = 1_500


def breaks(root, version):
    findings = Findings("test.xosc")
    check_against_version(root, version, findings)
    return [str(one) for one in findings.found() if one.level >= Level.BREAK]


def roots():
    files = sorted(MATERIAL.rglob("*.xosc"))
    if not files:
        pytest.skip("needs the shared files of OpenSCENARIO")
    return [root_of_openscenario(path.name, path.read_bytes()) for path in files]


def agrees(root, version):
    return validator(version).validate(root) == (breaks(root, version) == [])


@pytest.mark.parametrize("version", VERSIONS)
def test_real_files_as_every_version(version):
    validator(version)
    assert [root for root in roots() if not agrees(root, version)] == []


def broken(root, luck):
    """A copy with one or two changes below its root."""
    root = copy.deepcopy(root)
    for _ in range(luck.choice((1, 1, 2))):
        nodes = list(root.iterdescendants())
        node = luck.choice(nodes)
        inner = list(node)
        match luck.randrange(8):
            case 0:
                node.getparent().remove(node)
            case 1 if inner:
                node.insert(luck.randrange(len(inner) + 1), copy.deepcopy(luck.choice(inner)))
            case 2 if node.attrib:
                del node.attrib[luck.choice(list(node.attrib))]
            case 3 if node.attrib:
                node.set(luck.choice(list(node.attrib)), luck.choice(VALUES))
            case 4:
                node.append(copy.deepcopy(luck.choice([one for one in nodes if len(one) < 10])))
            case 5:
                node.set(luck.choice(("name", "value", "foo", "time")), luck.choice(VALUES))
            case 6 if len(inner) > 1:
                moved = luck.choice(inner)
                node.remove(moved)
                node.insert(luck.randrange(len(inner)), moved)
            case 7:
                node.tag = luck.choice(nodes).tag
    return root


def disagreements(seeds):
    """Broken files about which the check and the schema disagree; how many the schema refuses."""
    originals = [root for root in roots() if sum(1 for _ in root.iter()) < MAX_NODES]
    found, refused = [], 0
    for seed in seeds:
        luck = random.Random(seed)
        root, version = broken(luck.choice(originals), luck), luck.choice(VERSIONS)
        valid = validator(version).validate(root)
        refused += not valid
        if valid != (breaks(root, version) == []):
            found.append((seed, version, breaks(root, version)[:2], str(validator(version).error_log)[:200]))
    return found, refused


def test_broken_files():
    validator("1.3")
    found, refused = disagreements(range(400))
    assert found == []
    assert refused > 200


@pytest.mark.soak
def test_many_broken_files():
    validator("1.3")
    found, _ = disagreements(range(1_000, 21_000))
    assert found == []


@pytest.mark.parametrize(
    ("content", "version", "problem"),
    [
        (scenario("<Act name='a'/>"), "1.3", "<Storyboard> has no such element"),
        (scenario().replace(b"<RoadNetwork/>", b""), "1.3", "<RoadNetwork> is missing"),
        (scenario().replace(b"<RoadNetwork/>", b"<RoadNetwork/>" * 2), "1.3", "one of these at most"),
        (scenario(extra="<MonitorDeclarations/>"), "1.2", "is of version 1.3 on, and the file declares 1.2"),
        (scenario().replace(b"<StopTrigger/>", b""), "1.2", "<StopTrigger> is missing"),
        (scenario("words"), "1.3", "has text, 'words'"),
        (scenario().replace(b'"1" revMinor', b'"one" revMinor'), "1.3", "expected a whole number from 0 to 65535"),
        (scenario(event("")), "1.3", "<Action> is missing"),
        (scenario(event(private(""))), "1.3", "has none of <LongitudinalAction>, "),
        (
            scenario(event(private("<TeleportAction><Position/></TeleportAction>"))),
            "1.3",
            "has none of <WorldPosition>",
        ),
        (scenario().replace(b"<RoadNetwork/>", b"").replace(b"<Ent", b"<RoadNetwork/><Ent"), "1.3", ""),
        (
            scenario().replace(b"<RoadNetwork/><Entities></Entities>", b"<Entities/><RoadNetwork/>"),
            "1.3",
            "must come before <Entities>",
        ),
    ],
)
def test_what_a_break_says(content, version, problem):
    found = breaks(root_of_openscenario("test.xosc", content), version)
    assert [problem in one for one in found] == [True] * bool(problem)


def test_what_is_deprecated_is_a_note():
    findings = Findings("test.xosc")
    content = scenario(event(private('<ActivateControllerAction lateral="true"/>')))
    check_against_version(etree.fromstring(content), "1.3", findings)
    assert [(one.level, one.problem) for one in findings.found()] == [(Level.NOTE, "is deprecated since version 1.1")]
