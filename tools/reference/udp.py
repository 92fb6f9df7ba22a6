"""The reference page of UDP, from the catalogue of messages."""

from __future__ import annotations

import inspect

from dorosim.road.signal import Lamp
from dorosim.wire.codec import Codec, compile_codec
from dorosim.wire.message import Wire
from dorosim.wire.reference import binary_head_rows, field_rows, header_text
from dorosim.wire.udp.catalogue import CATALOGUE
from dorosim.wire.udp.revision import REVISIONS
from tools.reference.markdown import table


def udp_page() -> str:
    """The page of all UDP messages, their layouts and codes."""
    parts = [
        "# UDP messages\n\n",
        "All numbers are little-endian and packed. Offsets count from byte 0 of the datagram. A listener takes any\n"
        "message to the simulator on any of its ports, told apart by size and header. Every layout of a message is\n"
        "read at every revision; the revision picks the layout that is sent and the sign of steering.\n\n"
        "A message whose header is a text is the header, the length of the payload (int32), 12 bytes that do not\n"
        "count, the payload, and the two bytes `\\r\\n`. Offsets below are those of the newest layout;\n"
        "`dorosim packet show NAME --revision R` prints those of another. Sources that begin with `facts/` and\n"
        "`design/` are notes that are not part of this project.\n\n",
        "## Revisions\n\n",
        table(
            ("revision", "ego status", "ego control", "object info", "collision", "steering +", "morai_msgs"),
            [
                (r.name, r.ego_status, r.ego_control, r.object_info, r.collision, r.steer_positive, r.ros_generation)
                for r in REVISIONS.values()
            ],
        ),
        "\n## Messages\n\n",
        table(
            ("message", "to the", "bytes", "header", "default port"),
            [
                (
                    f"[{message.__name__}](#{message.__name__.lower()})",
                    message.table.to,
                    ", ".join(str(layout.size) for layout in message.table.layouts),
                    f"`{header_text(_newest(message))}`",
                    message.table.default_port,
                )
                for message in CATALOGUE
            ],
        ),
    ]
    parts += [_binary_head(), _light_codes()]
    parts += [_message_section(message) for message in CATALOGUE]
    return "".join(parts)


def _binary_head() -> str:
    return (
        "\n## Binary header\n\n"
        "Ground vehicle messages begin with these bytes instead of a text, and nothing follows their fields.\n\n"
        + table(
            ("offset", "field", "type", "meaning"),
            [(row.offset, f"`{row.name}`", row.type, row.meaning) for row in binary_head_rows()],
        )
    )


def _light_codes() -> str:
    """The codes of lamps, for both messages on traffic lights."""
    codes = [(-1, "no light is ahead, or nothing is known of it; as a command: back to its programme")]
    codes += [(int(lamp), lamp.name.lower().replace("_", " ")) for lamp in Lamp if lamp.name]
    both = (Lamp.RED | Lamp.YELLOW, Lamp.YELLOW | Lamp.GREEN, Lamp.YELLOW | Lamp.LEFT, Lamp.GREEN | Lamp.LEFT)
    codes += [(int(sum_), " and ".join((one.name or "").lower() for one in sum_)) for sum_ in both]
    return (
        "\n## Codes of traffic lights\n\n"
        "`status` of [GetTrafficLightStatus](#gettrafficlightstatus) and [SetTrafficLightCtrl](#settrafficlightctrl)\n"
        "is the sum of the lamps that are lit. Any sum of these can be set; those of two lamps that the product is\n"
        "known to send are listed as well. Arrows are green.\n\n"
        + table(("code", "lit"), codes)
        + "\n`status` of an intersection is no sum of lamps: it is the index of a state of its programme, from 0.\n"
    )


def _newest(message: type[Wire]) -> Codec:
    return compile_codec(message, message.table.layouts[0])


def _message_section(message: type[Wire]) -> str:
    newest = _newest(message)
    text = (
        f"\n### {message.__name__}\n\n{inspect.cleandoc(message.__doc__ or '')}\n\nSource: {message.table.source}.\n\n"
    )
    others = message.table.layouts[1:]
    if others:
        text += f"Offsets are those of the {newest.size}-byte layout. The others lack fields:\n\n"
        text += "".join(
            f"- {layout.size} bytes: without {', '.join(sorted(layout.without)) or 'nothing'}\n" for layout in others
        )
        text += "\n"
    rows = [(row.offset, f"`{row.name}`", row.type, row.unit, row.meaning) for row in field_rows(newest)]
    return text + table(("offset", "field", "type", "unit", "meaning"), rows)
