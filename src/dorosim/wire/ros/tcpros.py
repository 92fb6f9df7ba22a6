"""TCPROS: the headers and lengths that ROS 1 nodes exchange over TCP before and around messages.

A connection begins with a header from either side: a length, then `name=value` fields, each with a length of its own.
After it come messages, each with its length (ROS wiki, "TCPROS"; ROS wiki, "Connection Header").
"""

from __future__ import annotations

import re
import struct
import urllib.parse
from collections.abc import Mapping

from dorosim.wire.error import RosError

LENGTH = struct.Struct("<I")
"""Before every header, field and message."""
MAX_CONNECTION_HEADER = 1 << 18
"""Most bytes of a header from outside; the longest honest part is the text of a message definition."""
ANY = "*"
"""An md5 sum or type that fits every other one."""
_NAME = re.compile(r"/?[A-Za-z][A-Za-z0-9_]*(/[A-Za-z0-9_]+)*")


def is_name(text: str) -> bool:
    """Whether a text is the name of a node, topic or service (ROS wiki, "Names")."""
    return _NAME.fullmatch(text) is not None


def host_and_port(uri: str) -> tuple[str, int]:
    """Host and port of the XML-RPC server of a node.

    Args:
        uri: as "http://127.0.0.1:11311/".

    Raises:
        ValueError: it is none.
    """
    parts = urllib.parse.urlsplit(uri)
    if parts.scheme != "http" or not parts.hostname or parts.port is None:
        raise ValueError(f"{uri[:200]!r} is not a valid address of a node, as http://127.0.0.1:11311 is")
    return parts.hostname, parts.port


def encode_fields(fields: Mapping[str, bytes]) -> bytes:
    """Fields of a header, each with its length; connections and bags (`wire.ros.bag`) have the same."""
    parts = [name.encode() + b"=" + value for name, value in fields.items()]
    return b"".join(LENGTH.pack(len(part)) + part for part in parts)


def decode_fields(header: bytes | memoryview) -> dict[str, bytes]:
    """The fields of a header.

    Raises:
        RosError: they are not valid.
    """
    fields: dict[str, bytes] = {}
    at = 0
    while at < len(header):
        begin = at + LENGTH.size
        at = begin + LENGTH.unpack_from(header, at)[0] if begin <= len(header) else begin
        name, equals, value = bytes(header[begin:at]).partition(b"=")
        if at > len(header) or not equals:
            raise RosError(f"a header of {len(header)} bytes with a field that is not valid")
        fields[name.decode("utf-8", "replace")] = value
    return fields


def encode_header(fields: Mapping[str, str]) -> bytes:
    """A connection header with its length."""
    body = encode_fields({name: value.encode() for name, value in fields.items()})
    return LENGTH.pack(len(body)) + body


def decode_header(body: bytes) -> dict[str, str]:
    """The fields of a connection header.

    Args:
        body: the header without its length.

    Raises:
        RosError: it is none.
    """
    return {name: value.decode("utf-8", "replace") for name, value in decode_fields(body).items()}


def generation_cure(type: str) -> str:  # noqa: A002
    """The remedy where a type of morai_msgs has another md5 sum, as the end of a sentence."""
    return "; choose the generation of its morai_msgs: generation in [ros]" if type.startswith("morai_msgs/") else ""


def misfit(header: Mapping[str, str], type: str, md5: str) -> str | None:  # noqa: A002
    """The reason why the type in a peer's header does not match ours; None if it matches.

    Args:
        header: its connection header.
        type: ours.
        md5: ours.
    """
    for field in ("callerid", "md5sum", "type"):
        if field not in header:
            return f"its connection header lacks {field}"
    if header["type"] not in (ANY, type) or header["md5sum"] not in (ANY, md5):
        return (
            f"it has {header['type'][:80]} ({header['md5sum'][:40]}), here it is {type} ({md5}){generation_cure(type)}"
        )
    return None
