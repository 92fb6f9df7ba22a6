"""What any network settings file must keep to."""

from __future__ import annotations

import ipaddress
import re

from dorosim.endpoint.udp.network import LOOPBACK, Publication
from dorosim.ground.error import InputError

_HOST = re.compile(r"(?=.{1,253}$)[0-9A-Za-z_:%]([0-9A-Za-z_.:%-]*[0-9A-Za-z_:%])?")
MIN_REPORT_RATE_HZ, MAX_REPORT_RATE_HZ = 0.001, 1000.0
ANY_HOST = "0.0.0.0"


def is_loopback(host: str) -> bool:
    """Whether a host is this machine's loopback; a name other than localhost is not."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def source_host(to_host: str) -> str:
    """The host to send from where a file names none: loopback to loopback, else whichever leads there."""
    return LOOPBACK if is_loopback(to_host) else ANY_HOST


def checked_rate(source: str, place: str, rate: float) -> float:
    """A rate that can be kept.

    Raises:
        InputError: it is not.
    """
    if not MIN_REPORT_RATE_HZ <= rate <= MAX_REPORT_RATE_HZ:
        raise InputError(
            source,
            place,
            f"a rate of {rate} Hz",
            f"give a rate from {MIN_REPORT_RATE_HZ:g} to {MAX_REPORT_RATE_HZ:g} Hz",
        )
    return rate


def checked_publication(source: str, place: str, publication: Publication) -> Publication:
    """A publication whose datagrams can arrive.

    Raises:
        InputError: its destination is no host, or it sends from loopback to another machine, which no system does.
    """
    if not _HOST.fullmatch(publication.destination.host):
        problem = f"{publication.destination.host!r} is not a valid host to send to"
        raise InputError(source, place, problem, "give a name or an address, as 127.0.0.1")
    if is_loopback(publication.source.host) and not is_loopback(publication.destination.host):
        problem = f"a socket at {publication.source} cannot send to {publication.destination}"
        raise InputError(source, place, problem, f"send from {ANY_HOST}:{publication.source.port} instead")
    return publication
