"""The files of a scenario as recordings and snapshots keep them: with them its storyboard runs again anywhere."""

from __future__ import annotations

import hashlib

import msgspec

_DIGEST_SIZE = 16


class KeptFile(msgspec.Struct, frozen=True):
    """A file as it was read: its path, a hex digest (BLAKE2b, 16 bytes) of its content, and that."""

    path: str
    digest: str
    content: bytes


class NamedRead(msgspec.Struct, frozen=True, array_like=True):
    """What a file named: the path of the file that did, the name in it, and the paths of what was found there."""

    beside: str
    name: str
    paths: tuple[str, ...]


class KeptStoryboard(msgspec.Struct, frozen=True, kw_only=True):
    """A scenario of OpenSCENARIO with all that it was read from, but for its map.

    Attributes:
        source: path of its file.
        files: all that were opened, that one first.
        reads: which files each name in them led to. folders: the same of folders.
        parameters: values that were given, by name.
        ego: who moves the ego vehicle, the name of a `Mover` in small letters. ego_name: the entity that is the ego
            vehicle; "": found by rule. own_ego: whether the run has an ego vehicle where the scenario has none.
    """

    source: str
    files: tuple[KeptFile, ...]
    reads: tuple[NamedRead, ...] = ()
    folders: tuple[NamedRead, ...] = ()
    parameters: dict[str, str] = {}
    ego: str = "default"
    ego_name: str = ""
    own_ego: bool = True


def kept_file(path: str, content: bytes) -> KeptFile:
    """A file with its digest."""
    return KeptFile(path, digest_of(content), content)


def digest_of(content: bytes) -> str:
    """The hex digest of a file."""
    return hashlib.blake2b(content, digest_size=_DIGEST_SIZE).hexdigest()
