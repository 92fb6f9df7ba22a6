"""A folder that looks like a clone of the project whose `.venv` is made, for a reader of a page."""

from __future__ import annotations

import os
import shlex
import sys
import zipfile
from pathlib import Path

import dpkt

from tests.docs.block import ROOT
from tests.loaded import loaded_command
from tests.shared import SHARED

LINKED = ("src", "docs", "examples", "tests", "README.md", "pyproject.toml", "constraints.txt", "mkdocs.yml", "LICENSE")
PROGRAM = '#!/bin/sh\nexec "{python}" {words} "$@"\n'
MAPS = ("V_RHT_Suburb_03", "Sangam_Track")
"""Maps that users of MORAI SIM have; where they are not there, the built-in town stands in."""


def make_sandbox(folder: Path) -> None:
    """Make the folder, and have programs of this process find it: PATH, data folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in LINKED:
        (folder / name).symlink_to(ROOT / name)
    (folder / ".dorosim").symlink_to(ROOT)
    (folder / "Makefile").write_text((ROOT / "Makefile").read_text())
    programs = folder / ".venv" / "bin"
    programs.mkdir(parents=True)
    for name, words in {"python": "", "python3": "", "pytest": "-m pytest"}.items():
        (programs / name).write_text(PROGRAM.format(python=sys.executable, words=words))
        (programs / name).chmod(0o755)
    (programs / "dorosim").write_text(f'#!/bin/sh\nexec {shlex.join(loaded_command())} "$@"\n')
    (programs / "dorosim").chmod(0o755)
    for stamp in ("python", "core", "test"):
        (folder / ".venv" / stamp).touch()
    for name in MAPS:
        _put_map(folder.parent / "maps", name)
    os.environ |= {
        "PATH": f"{programs}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT / "src"),
        "XDG_DATA_HOME": str(folder.parent / "data"),
        "COLUMNS": "120",
        "NO_COLOR": "1",
        "MPLBACKEND": "agg",
        "PYTHONUNBUFFERED": "1",
        "ROS_MASTER_URI": "http://127.0.0.1:11311",
        "ROS_IP": "127.0.0.1",
        "ROS_HOME": str(folder.parent / "ros"),
    }


def _put_map(maps: Path, name: str) -> None:
    maps.mkdir(exist_ok=True)
    if (SHARED / "maps" / name).exists():
        (maps / name).symlink_to(SHARED / "maps" / name)
    else:
        with zipfile.ZipFile(ROOT / "src/dorosim/app/town.zip") as town:
            town.extractall(maps / name)


def make_prop(path: Path) -> None:
    """A file that the reader of a page has: a capture with a command in it."""
    command = b"#MoraiCtrlCmd$" + (23).to_bytes(4, "little") + bytes(12 + 23) + b"\r\n"
    udp = dpkt.udp.UDP(sport=4000, dport=9093, data=command)
    udp.ulen = len(udp)
    ip = dpkt.ip.IP(src=b"\x7f\0\0\1", dst=b"\x7f\0\0\1", p=17, data=udp)
    ip.len = len(ip)
    with path.open("wb") as file:
        dpkt.pcap.Writer(file).writepkt(bytes(dpkt.ethernet.Ethernet(data=ip)))
