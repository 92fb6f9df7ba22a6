"""Checks of what is installed: Python, packages, settings, folders, compiled kernels."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from dorosim import __version__
from dorosim.app.doctor.finding import Finding, Findings, note, note_if, ok, problem
from dorosim.app.setting.choice import Base
from dorosim.app.store.folder import cache_folder, data_path

EXTRAS = {
    "plot": "drawings of maps, lidars and recordings",
    "bson": "rosbridge messages as BSON",
    "bench": "figures beside SUMO in the bench",
    "video": "videos of recordings",
    "docs": "building the documentation",
}
"""What the optional parts of the package are for; an optional part that is not listed is printed without a purpose."""
ONLY_FOR_DEVELOPERS = ("test",)
FREE_DISK = 200 << 20
"""Bytes below which recordings and caches soon fail."""


def check_python(_: Base) -> Findings:
    """The interpreter against what the package asks for."""
    here = platform.python_version()
    text = f"{platform.python_implementation()} {here}, dorosim {__version__}"
    about = _metadata()
    wanted = (about and about["Requires-Python"]) or ">=3.11"
    if not SpecifierSet(wanted).contains(here, prereleases=True):
        yield problem("python", f"{text}; {wanted} is needed", "make a new environment: make PYTHON=python3.12")
    elif platform.python_implementation() != "CPython":
        yield problem("python", f"{text}; only CPython has numba", "use CPython")
    else:
        yield ok("python", text)


def _metadata() -> metadata.PackageMetadata | None:
    """What the installed package says of itself; None where dorosim is not installed as a package."""
    try:
        return metadata.metadata("dorosim")
    except metadata.PackageNotFoundError:
        return None


def check_packages(_: Base) -> Findings:
    """Every package that a run needs, in a version that is known to work."""
    needs = list(_requirements(""))
    wrong = [text for one in needs if (text := _flaw(one))]
    if wrong:
        cure = "install them: .venv/bin/pip install -c constraints.txt --upgrade ."
        yield problem("packages", "; ".join(wrong), cure)
    elif needs:
        yield ok("packages", f"all {len(needs)} that are needed are there, in versions that fit")
    else:
        yield note("packages", "dorosim is not installed as a package, so it does not say what it needs")


def check_extras(_: Base) -> Findings:
    """The optional parts, and what they are for."""
    about = _metadata()
    names = about.get_all("Provides-Extra", []) if about else []
    for name in sorted(set(names) - set(ONLY_FOR_DEVELOPERS)):
        missing = [one.name for one in _requirements(name) if _flaw(one)]
        use = f", for {EXTRAS[name]}" if name in EXTRAS else ""
        how = f".venv/bin/pip install '.[{name}]' gets it"
        yield ok("extra", f"{name} is not installed{use}; {how}" if missing else f"{name} is installed{use}")


def _requirements(extra: str) -> Iterator[Requirement]:
    """What an extra of the package needs, or the package itself with ""."""
    about = _metadata()
    for text in about.get_all("Requires-Dist", []) if about else ():
        one = Requirement(text)
        always = one.marker is None or one.marker.evaluate({"extra": ""})
        if (always and not extra) or (extra and not always and one.marker and one.marker.evaluate({"extra": extra})):
            yield one


def _flaw(one: Requirement) -> str:
    try:
        there = metadata.version(one.name)
    except metadata.PackageNotFoundError:
        return f"{one.name} is missing"
    return "" if one.specifier.contains(there, prereleases=True) else f"{one.name} {there} is not {one.specifier}"


def check_settings_file(base: Base) -> Findings:
    """The settings file that a run here would use."""
    from dorosim.app.setting.check import file_problems

    file = base.file
    if not file:
        yield ok("settings", "no dorosim.toml in this folder: the defaults count")
        return
    found = file_problems(Path(file))
    if found:
        yield problem(
            "settings", f"{file}: {len(found)} problems, the first: {found[0]}", f"dorosim config check {file}"
        )
    else:
        yield ok("settings", f"{file}: nothing is wrong")


def check_folders(base: Base) -> Findings:
    """Whether data and caches can be written."""
    cure = "give another folder with --data, or its permissions"
    yield folder_finding("data folder", data_path(base.settings.data), cure)
    yield folder_finding("cache folder", cache_folder(), "set XDG_CACHE_HOME to a folder that can be written")


def folder_finding(name: str, path: Path, cure: str) -> Finding:
    """Whether a folder of that name can be written and has room; `cure` says what to do if not."""
    there = path
    while not there.exists():
        there = there.parent
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        return problem(name, f"{path} cannot be written", cure)
    free = shutil.disk_usage(there).free
    text = f"{path}, {free / 2**30:,.1f} GiB free"
    if free < FREE_DISK:
        return problem(name, text, f"make room there, or {cure}")
    return ok(name, text if path.exists() else f"{text}; it will be made")


def check_kernels(_: Base) -> Findings:
    """Whether the physics is compiled already."""
    from dorosim.ground.jit import SENSOR_FLOORS, is_cold, is_complete

    how = "'python -m dorosim.app.run.compile' does it now"
    if is_cold():
        lack = "not compiled yet: the first start takes up to a minute more"
    elif not is_complete():
        lack = "compiled for an ego vehicle alone: the first traffic waits up to a minute"
    else:
        lack = "" if is_complete(SENSOR_FLOORS) else "compiled except for sensors: the first ones wait up to a minute"
    yield note_if(bool(lack), "kernels", lack or "all compiled: a start takes a second or two", how)


def check_ros(base: Base) -> Findings:
    """The ROS 1 master that a run joins, or a note where ROS_MASTER_URI is set, which dorosim does not use."""
    uri = os.environ.get("ROS_MASTER_URI", "")
    master = base.settings.ros.master
    if master:
        yield ok("ros", f"the node joins the master at {master}")
    elif uri:
        yield note("ros", f"ROS_MASTER_URI is {uri}; dorosim does not look at it", f"run with --ros-master {uri}")
    else:
        yield ok("ros", "rosbridge needs no ROS here; a ROS 1 master is joined with --ros-master URL")


def check_platform(_: Base) -> Findings:
    """The system."""
    text = f"{platform.system()} {platform.release()}, {platform.machine()}"
    is_known = sys.platform.startswith("linux")
    yield ok("system", text) if is_known else note("system", f"{text}; dorosim is tested on Linux")
