"""Whether only this user can write a folder, so that the code in it may be run."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

OTHERS = stat.S_IWGRP | stat.S_IWOTH


def make_private(folder: Path) -> None:
    """Make a folder, and those above it that are missing, so that only this user can write there.

    Raises:
        OSError: it cannot be made.
    """
    for path in (*reversed(folder.parents), folder):
        if not path.is_dir():
            path.mkdir(mode=0o700, exist_ok=True)


def who_else_writes(folder: Path) -> str:
    """How another user could have put something into a folder, or still can; "" if none could.

    That is so where the folder, a folder above it or anything in it belongs to another user than this one and root, or
    has a mode that lets others write. In a folder with the sticky bit, as /tmp is, others cannot touch what is ours. A
    group that has this user alone is no others.

    Args:
        folder: one that is not there belongs to no user. Links are followed, as they are when it is opened.

    Raises:
        OSError: it cannot be looked at.
    """
    if not hasattr(os, "geteuid"):  # a system without these modes
        return ""
    folder = folder.resolve()
    for above in folder.parents:
        if above.exists() and (why := _flaw(above, above.stat(), sticky=True)):
            return why
    if not folder.exists():
        return ""
    return next((why for path, known in _all_in(folder) if (why := _flaw(path, known, sticky=False))), "")


def _all_in(folder: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """A folder and everything in it, each with its status (owner, mode); for a link, the status of the link."""
    yield folder, folder.stat()
    for root, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = Path(root) / name
            yield path, path.lstat()


def _flaw(path: Path, known: os.stat_result, *, sticky: bool) -> str:
    """How another user can write a file or folder, "" if none can."""
    if known.st_uid not in (0, os.geteuid()):
        return f"{path} belongs to {_user(known.st_uid)}"
    if stat.S_ISLNK(known.st_mode) or (sticky and known.st_mode & stat.S_ISVTX):
        return ""
    loose = known.st_mode & OTHERS
    if loose & stat.S_IWGRP and _is_own_group(known.st_gid):
        loose &= ~stat.S_IWGRP
    return f"{path} has mode {stat.S_IMODE(known.st_mode):04o}" if loose else ""


def _is_own_group(number: int) -> bool:
    """Whether a group is that of this user, or of root, alone."""
    import grp
    import pwd

    try:
        group, user = grp.getgrgid(number), pwd.getpwuid(os.geteuid())
    except KeyError:
        return False
    name = user.pw_name if user.pw_gid == number else "root" if number == 0 else None
    return name == group.gr_name and set(group.gr_mem) <= {name}


def _user(number: int) -> str:
    import pwd

    try:
        return f"user {pwd.getpwuid(number).pw_name}"
    except KeyError:
        return f"user number {number}"
