"""Small files of OpenSCENARIO, and files that are only in memory."""

from __future__ import annotations

import posixpath

from dorosim.ground.error import InputError
from dorosim.scenario.openscenario.document import open_document
from dorosim.scenario.openscenario.files import NamedFile
from tests.shared import SHARED

MATERIAL = SHARED / "openscenario"


class MemoryFiles:
    """Files by path; a folder is what its files have before their names."""

    def __init__(self, **files):
        self.files = {name.replace("__", "/") + ".xosc": content for name, content in files.items()}
        self.opened = []

    def _path(self, name, beside):
        return posixpath.normpath(posixpath.join(posixpath.dirname(beside), name))

    def read(self, name, beside):
        path = self._path(name, beside)
        self.opened.append(path)
        if path not in self.files:
            raise InputError(beside, "", f"file {name!r} is not there", "put it there")
        return NamedFile(path, self.files[path])

    def read_folder(self, name, beside):
        folder = self._path(name, beside)
        return [self.read(one, "") for one in sorted(self.files) if posixpath.dirname(one) == folder]


def header(version="1.3"):
    major, minor = version.split(".")
    return f'<FileHeader author="a" date="2024-05-31T12:00:00" description="d" revMajor="{major}" revMinor="{minor}"/>'


def scenario(storyboard="", *, declarations="", entities="", catalogs="", version="1.3", extra=""):
    """A scenario file."""
    return (
        f"<OpenSCENARIO>{header(version)}<ParameterDeclarations>{declarations}</ParameterDeclarations>{extra}"
        f"<CatalogLocations>{catalogs}</CatalogLocations><RoadNetwork/><Entities>{entities}</Entities>"
        f"<Storyboard><Init><Actions/></Init>{storyboard}<StopTrigger/></Storyboard></OpenSCENARIO>"
    ).encode()


def event(actions, trigger="", *, before=""):
    """A story with one event; `before` stands in its group, before the maneuver."""
    return (
        '<Story name="s"><Act name="a"><ManeuverGroup name="g" maximumExecutionCount="1">'
        f'<Actors selectTriggeringEntities="false"/>{before}<Maneuver name="m"><Event name="e" priority="override">'
        f"{actions}{trigger}</Event></Maneuver></ManeuverGroup></Act></Story>"
    )


def private(action):
    return f'<Action name="x"><PrivateAction>{action}</PrivateAction></Action>'


def condition(inside, attributes='name="c" delay="0" conditionEdge="none"'):
    return f"<StartTrigger><ConditionGroup><Condition {attributes}>{inside}</Condition></ConditionGroup></StartTrigger>"


def catalog(name, entries):
    return f'<OpenSCENARIO>{header()}<Catalog name="{name}">{entries}</Catalog></OpenSCENARIO>'.encode()


def parameter(name, kind, value, constraints=""):
    attributes = f'name="{name}" parameterType="{kind}" value="{value}"'
    return f"<ParameterDeclaration {attributes}>{constraints}</ParameterDeclaration>"


def read(content, files=None, **parameters):
    return open_document("test.xosc", content, files).read(parameters)


def lines(reading):
    return [str(one) for one in reading.findings]


def first_event(reading):
    return reading.scenario().storyboard.stories[0].acts[0].maneuver_groups[0].maneuvers[0].events[0]


def first_action(reading):
    """The action of the first event, past the types that only lead to it."""
    return first_event(reading).actions[0].chosen.chosen
