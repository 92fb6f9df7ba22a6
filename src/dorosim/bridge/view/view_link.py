"""A view as the text of a link: who is followed, by which camera, and where a free one stands."""

from __future__ import annotations

import math
from typing import NamedTuple, Self
from urllib.parse import parse_qsl, urlencode

from dorosim.bridge.view.camera import Mode
from dorosim.ground.error import InputError

MAX_LENGTH = 500
"""Of a text [letters]."""
_FAR = 1e8
"""Places farther from the map's origin are none [m]."""
Place = tuple[float, float, float]


class ViewLink(NamedTuple):
    """A view.

    Attributes:
        mode: of the camera. followed: id of the actor.
        position, look_at: of a free camera in map [m]; None for other cameras.
    """

    mode: Mode
    followed: int
    position: Place | None = None
    look_at: Place | None = None

    def to_text(self) -> str:
        """The view as text of an address."""
        fields = {"camera": self.mode.value, "follow": str(self.followed)}
        if self.position is not None and self.look_at is not None:
            fields |= {"at": _text_of(self.position), "to": _text_of(self.look_at)}
        return urlencode(fields, safe=",")

    @classmethod
    def from_text(cls, text: str) -> Self:
        """The view of a link.

        Raises:
            InputError: it is none.
        """
        if len(text) > MAX_LENGTH:
            raise _wrong(f"it has {len(text):,} letters")
        fields = dict(parse_qsl(text))
        camera, follow = fields.get("camera", ""), fields.get("follow", "")
        modes = {mode.value: mode for mode in Mode}
        if camera not in modes:
            raise _wrong(f"there is no camera {camera!r}")
        if not (follow.isascii() and follow.isdigit() and len(follow) <= 9):
            raise _wrong(f"{follow!r} is no id of an actor")
        if "at" not in fields and "to" not in fields:
            return cls(modes[camera], int(follow))
        return cls(modes[camera], int(follow), _place_of(fields.get("at", "")), _place_of(fields.get("to", "")))


def _text_of(place: Place) -> str:
    return ",".join(f"{part:.2f}" for part in place)


def _place_of(text: str) -> Place:
    try:
        x, y, z = (float(part) for part in text.split(","))
    except ValueError:
        raise _wrong(f"{text!r} is no place") from None
    if not all(math.isfinite(part) and abs(part) < _FAR for part in (x, y, z)):
        raise _wrong(f"{text!r} is no place on a map")
    return x, y, z


def _wrong(what: str) -> InputError:
    return InputError("link", "", what, "copy the whole address again")
