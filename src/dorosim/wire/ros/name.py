"""Names of ROS (ROS wiki, "Names")."""

from __future__ import annotations

import re

_NAME = re.compile(r"/?[A-Za-z]\w*(/[A-Za-z]\w*)*", re.ASCII)
LONGEST = 255
"""Letters of a name that is taken."""


def is_topic(text: str) -> bool:
    """Whether a text is the name of a topic."""
    return len(text) <= LONGEST and _NAME.fullmatch(text) is not None
