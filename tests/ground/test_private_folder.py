"""Who else could have put something into a folder; a cache of kernels that is not this user's alone is left alone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dorosim.ground import private_folder
from dorosim.ground.private_folder import make_private, who_else_writes

pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="this system has no such modes")
ROOT = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away")
STRANGER = 54_321
"""Number of a user that is nobody here."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "cache" / "dorosim" / "kernels"
    make_private(made)
    (made / "one").mkdir()
    (made / "one" / "kernel.nbc").write_bytes(b"code")
    return made


def test_a_folder_that_was_made_private_is(folder):
    assert who_else_writes(folder) == ""
    assert who_else_writes(folder / "not" / "there") == ""
    assert {path.stat().st_mode & 0o777 for path in (folder, folder.parent, folder.parent.parent)} == {0o700}


@pytest.mark.parametrize("place", [".", "..", "one", "one/kernel.nbc"])
@pytest.mark.parametrize("mode", [0o777, 0o707])
def test_a_mode_that_lets_others_write_is_told_wherever_it_is(folder, place, mode):
    (folder / place).resolve().chmod(mode)
    assert who_else_writes(folder) == f"{(folder / place).resolve()} has mode {mode:04o}"


def test_others_cannot_touch_what_is_ours_in_a_folder_with_the_sticky_bit(folder):
    folder.parent.chmod(0o1777)
    assert who_else_writes(folder) == ""
    folder.chmod(0o1777)
    assert "has mode 1777" in who_else_writes(folder), "but they can put something in"


def test_a_group_of_this_user_alone_is_no_others(folder, monkeypatch):
    folder.chmod(0o775)
    monkeypatch.setattr(private_folder, "_is_own_group", lambda _: True)
    assert who_else_writes(folder) == ""
    monkeypatch.setattr(private_folder, "_is_own_group", lambda _: False)
    assert "has mode 0775" in who_else_writes(folder)


@ROOT
@pytest.mark.parametrize("place", [".", "..", "one", "one/kernel.nbc"])
def test_what_belongs_to_another_user_is_told(folder, place):
    os.chown((folder / place).resolve(), STRANGER, -1)
    assert who_else_writes(folder) == f"{(folder / place).resolve()} belongs to user number {STRANGER}"


PROGRAM = """
import sys
from dorosim.ground.jit import cache_folder, distrust, inner_kernel, kernel, mark_complete, is_complete
print(cache_folder())
print(distrust())
mark_complete()
print(is_complete())
"""


def tried(cache: Path) -> tuple[Path, str, bool]:
    """The folder of kernels of a program, why it is not the usual one, and whether it can be used."""
    environment = os.environ | {"XDG_CACHE_HOME": str(cache), "DOROSIM_COMPILE": "1"}
    environment.pop("DOROSIM_KERNELS", None)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True, timeout=120
    )
    folder, why, complete = done.stdout.splitlines()
    return Path(folder), why, complete == "True"


def test_a_cache_of_kernels_that_another_user_could_write_is_not_used(tmp_path):
    cache = tmp_path / "cache"
    cache.mkdir(mode=0o700)
    folder, why, complete = tried(cache)
    assert (folder.parent, why, complete) == (cache / "dorosim" / "kernels", "", True)
    (next(folder.iterdir())).chmod(0o666)
    other, why, complete = tried(cache)
    assert cache not in other.parents
    assert "are not used, since another user could have put them there" in why
    assert "has mode 0666" in why
    assert complete
    assert not other.exists(), "it goes with the program"
