"""JSON files that users give, with errors that say where they are broken."""

from __future__ import annotations

import json
from typing import Any

from dorosim.ground.error import InputError


def decode_json_text(source: str, content: bytes, cure: str) -> Any:
    """The value of a JSON file, in which NaN and Infinity count as numbers, as Python's own writer makes them.

    Args:
        source: the file, as messages name it.
        content: its bytes, UTF-8, with or without a byte order mark.
        cure: of a file that is not JSON.

    Raises:
        InputError: if the bytes are not JSON; it names the byte, or line and column.
    """
    try:
        return json.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise InputError(source, f"byte {error.start}", "this is not UTF-8", "save the file as UTF-8") from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise InputError(source, place, f"this is not JSON ({error.msg})", cure) from None
    except (RecursionError, ValueError) as error:
        raise InputError(source, "", f"this is not JSON that can be read ({error})", cure) from None
