"""Which web pages may use what is served over HTTP.

A browser lets every page that its user opens connect to any address that the user's machine reaches, this program's
too; it only gives the page's origin in the header `Origin` (RFC 6455, section 10.2; Fetch standard, "Origin header").
Programs send no `Origin`. So a request without `Origin` is accepted, and a request of a page is accepted if the page
came from the served address itself or from an address that the settings list.

A page can make its own name point to this machine (DNS rebinding): `Host` and `Origin` are equal then, and both are
that name. So a name counts as the served address only if it is known: `localhost`, the name in the settings, and, for
an address that other machines reach, this machine's own name. Addresses in numbers cannot be pointed elsewhere.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from dorosim.ground.error import InputError

ANY = "*"
"""In a listed origin: any page where it stands alone, else any port, or any names before a domain."""
NO_PAGE = "null"
"""The `Origin` of files, of frames in a sandbox, and of redirects."""
USUAL_PORTS = {"http": 80, "ws": 80, "https": 443, "wss": 443}
MAX_QUOTED = 80
"""Characters of a header that a refusal quotes."""
_ORIGIN = re.compile(r"([a-z][a-z0-9+.-]*)://(\[[0-9a-f:.]+\]|[^\s/\[\]:@?#]*)(?::([0-9]{1,5}))?")
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[^\s/\[\]:@?#]+)(?::([0-9]{1,5}))?")
_LISTED = re.compile(r"([a-z][a-z0-9+.-]*)://(\[[0-9a-f:.]+\]|(?:\*\.)?[a-z0-9_.-]*)(?::([0-9]{1,5}|\*))?/?")
_CURE = 'write it as "http://192.168.0.7:3000", "http://localhost:*", "https://*.example.com", "null" or "*"'


class Origin(NamedTuple):
    """Where a page comes from.

    Attributes:
        scheme: of its URL. host: name or address, in the form that all ways to write it have in common.
        port: None for the usual one of the scheme.
    """

    scheme: str
    host: str
    port: int | None


class Listed(NamedTuple):
    """Pages that the settings allow.

    Attributes:
        scheme: of their URLs; `ANY` for all pages there are, `NO_PAGE` for those without an origin.
        host: as in `Origin`; with `*.` before it, all names below it. port: the same; -1 for any.
    """

    scheme: str
    host: str = ""
    port: int | None = None

    def holds(self, origin: Origin) -> bool:
        """Whether a page with this origin is one of them."""
        if self.scheme != origin.scheme or self.port not in (-1, origin.port):
            return False
        return origin.host.endswith(self.host[1:]) if self.host.startswith("*.") else origin.host == self.host


class WebOrigins:
    """Accepts or refuses requests of web pages by their headers.

    Args:
        setting: key of the settings that lists further origins, as "ros.origins".
        listed: the origins under that key.
        served: the host at which the server listens, as the user wrote it.

    Raises:
        InputError: a listed text is no origin.
    """

    def __init__(self, setting: str, listed: Iterable[str], served: str) -> None:
        self._setting = setting
        self._listed = tuple(listed_origin(setting, text) for text in listed)
        self._names = {_plain(name) for name in (served, *_own_names(served))}

    def refusal(self, origins: Sequence[str], hosts: Sequence[str]) -> str | None:
        """The reason why a request is refused, with the remedy; None if it is accepted.

        Args:
            origins: its `Origin` headers, none for a program's.
            hosts: its `Host` headers.
        """
        if not origins:
            return None
        text = origins[0]
        if ANY in {one.scheme for one in self._listed}:
            return None
        if len(origins) > 1:
            return "it names more than one origin"
        if text == NO_PAGE:
            if any(one.scheme == NO_PAGE for one in self._listed):
                return None
            why = "a web page without an origin (a file, or a frame in a sandbox) is refused"
            return (
                f'{why}; serve it by HTTP and list that address in {self._setting}; "null" there lets in any such page'
            )
        origin = origin_of(text)
        if origin is not None and any(one.holds(origin) for one in self._listed):
            return None
        shown = ascii(text[:MAX_QUOTED])
        cure = f"list {shown} in {self._setting} if you trust it"
        if origin is None or len(hosts) != 1 or not _is_same(origin, hosts[0]):
            return f"a web page of {shown} is refused; {cure}"
        if self._is_ours(origin.host):
            return None
        return (
            f"a web page of {shown} is refused, for that name is not known here; use the address in numbers, or {cure}"
        )

    def host_refusal(self, hosts: Sequence[str]) -> str | None:
        """The reason why a request for the page with these `Host` headers is refused; None if it is accepted."""
        found = _HOST.fullmatch(hosts[0].lower()) if len(hosts) == 1 else None
        name = "" if found is None else _plain(found[1])
        if name and (self._is_ours(name) or any(_names(one, name) for one in self._listed)):
            return None
        shown = ascii(", ".join(hosts)[:MAX_QUOTED])
        example = f'"http://{found[0]}"' if found is not None else "its origin"
        cure = f"use the address in numbers, or localhost, or list {example} in {self._setting}"
        return f"this page is not served as {shown}; {cure}"

    def _is_ours(self, host: str) -> bool:
        """Whether a host means this program's address whatever a name server answers."""
        return host in self._names or host.endswith(".localhost") or _number(host) is not None


def origin_of(text: str) -> Origin | None:
    """The origin that a header gives; None if the text is no origin, and for `null`."""
    found = _ORIGIN.fullmatch(text.lower())
    return None if found is None else Origin(found[1], _plain(found[2]), _port(found[1], found[3]))


def listed_origin(setting: str, text: str) -> Listed:
    """The pages that one listed text allows.

    Args:
        setting: key of the settings under which the text stands.
        text: the user's text: an origin, with `*` for any port, or before a domain for all names below it; "null"; or
            "*" for any page.

    Raises:
        InputError: it is none of these.
    """
    text = text.strip().lower()
    if text in (ANY, NO_PAGE):
        return Listed(text)
    found = _LISTED.fullmatch(text)
    if found is None or (not found[2] and found[1] in USUAL_PORTS) or found[2] == "*.":
        raise InputError("settings", setting, f"{text!r} is no origin of web pages", _CURE)
    return Listed(found[1], _plain(found[2]), -1 if found[3] == ANY else _port(found[1], found[3]))


def _is_same(origin: Origin, host: str) -> bool:
    """Whether a page comes from the address to which its request is sent."""
    found = _HOST.fullmatch(host.lower())
    return found is not None and (_plain(found[1]), _port(origin.scheme, found[2])) == (origin.host, origin.port)


def _names(listed: Listed, name: str) -> bool:
    return listed.scheme == ANY or listed.holds(Origin(listed.scheme, name, listed.port))


def _port(scheme: str, text: str | None) -> int | None:
    port = None if text is None else int(text)
    return None if port == USUAL_PORTS.get(scheme) else port


def _plain(host: str) -> str:
    """A host in the form that all ways to write it have in common."""
    host = host.lower().removesuffix(".")
    number = _number(host)
    return host if number is None else str(number)


def _number(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address that a host is, None for a name."""
    try:
        found = ipaddress.ip_address(host.removeprefix("[").removesuffix("]"))
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if isinstance(found, ipaddress.IPv6Address) else found


def _own_names(served: str) -> tuple[str, ...]:
    """Names of this machine that count as the served address, besides the name in the settings.

    Its host name counts only where other machines reach the served port: an attacker that controls the names in this
    network can make that name point anywhere, but can then also connect to the open port directly.
    """
    number = _number(served)
    if served.lower() == "localhost" or (number is not None and number.is_loopback):
        return ("localhost",)
    name = socket.gethostname()
    return ("localhost", name, f"{name}.local")
