"""The ROS package morai_msgs as Python modules, for users with rospy and without catkin: `dorosim ros msgs --python`.

genpy of ROS makes them, as it does for catkin. It needs no place of its own here: the Python that it is installed for
runs it, which with Debian's ROS is the system's and seldom that of dorosim.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from dorosim.app.store.file_copy import Copied, copy_files
from dorosim.app.store.ros_package import PACKAGE, definitions_of, plain_text
from dorosim.ground.error import InputError
from dorosim.wire.ros.registry import registry_of

SYSTEM_PYTHON = "/usr/bin/python3"
_GENPY_TIMEOUT_S = 120.0
"""Wall time that genpy may take [s]; it takes two."""
_GENERATE = f"""\
import sys
from pathlib import Path
from genpy.generate_initpy import write_module, write_modules
from genpy.generator import MsgGenerator, SrvGenerator
source, out = Path(sys.argv[1]), Path(sys.argv[2])
search = {{folder.name: [str(folder / "msg")] for folder in source.iterdir()}}
failed = 0
for generator, kind in ((MsgGenerator(), "msg"), (SrvGenerator(), "srv")):
    files = sorted(map(str, source.glob(f"{PACKAGE}/{{kind}}/*.{{kind}}")))
    failed |= generator.generate_messages("{PACKAGE}", files, str(out / kind), search)
    write_modules(str(out / kind))
write_module(str(out), [])
sys.exit(failed)
"""


def write_ros_modules(folder: Path, generation: str, force: bool = False) -> Copied:
    """Write the package morai_msgs of a generation as Python modules into a folder; see `copy_files`.

    Raises:
        InputError: there is no such generation, or no genpy, a file is there and differs, or the folder cannot be
            written.
    """
    return copy_files(folder, ros_modules(generation), force)


def ros_modules(generation: str) -> dict[Path, bytes]:
    """The modules `msg/_NAME.py` and `srv/_NAME.py` with their packages, by their paths, which begin with its name.

    Raises:
        InputError: there is no such generation, or no genpy, or it fails.
    """
    texts = {f"{PACKAGE}/{name}": text for name, text in definitions_of(generation).items()}
    registry = registry_of(generation)
    for name in registry.types:  # what those of the package are made of
        package, _, own = name.partition("/")
        if package != PACKAGE:
            texts[f"{package}/msg/{own}.msg"] = plain_text(registry.text(name))
    python = _python_with_genpy()
    with tempfile.TemporaryDirectory() as place:
        source, out = Path(place, "source"), Path(place, "out")
        _write(source, texts)
        done = _run(python, "-c", _GENERATE, str(source), str(out))
        if done.returncode:
            lines = done.stderr.strip().splitlines() or [f"it ended with {done.returncode}"]
            raise InputError("--python", "", f"genpy of {python} fails: {lines[-1]}", "is it that of ROS 1?")
        return {Path(PACKAGE, path.relative_to(out)): path.read_bytes() for path in sorted(out.rglob("*.py"))}


def _write(folder: Path, texts: Mapping[str, str]) -> None:
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="ascii")


def _python_with_genpy() -> str:
    """The Python that has genpy: this one, or the system's.

    Raises:
        InputError: neither has.
    """
    for python in (sys.executable, SYSTEM_PYTHON):
        try:
            if _run(python, "-c", "import genpy.generator, genpy.generate_initpy").returncode == 0:
                return python
        except FileNotFoundError:
            continue
    cure = "install it, in Debian with 'apt install python3-genpy', or build without --python by catkin"
    raise InputError(
        "--python", "", f"neither this Python nor {SYSTEM_PYTHON} has genpy, which makes the modules", cure
    )


def _run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words, capture_output=True, text=True, errors="replace", timeout=_GENPY_TIMEOUT_S, check=False
    )
