"""Writes the reference pages from the tables in the code: `make docs`, or `python -m dorosim.app.reference DIR`."""

from __future__ import annotations

import inspect
import math
import sys
from pathlib import Path

import msgspec

from dorosim.app.markdown import table
from dorosim.app.reference_client import client_page
from dorosim.app.reference_command import command_page
from dorosim.app.reference_grpc import grpc_page
from dorosim.app.reference_ros import ros_page
from dorosim.app.reference_sensor import sensor_page
from dorosim.app.setting_doc import Many, SettingKey, all_tables, toml_value
from dorosim.road.signal import Lamp
from dorosim.wire.codec import Codec, compile_codec
from dorosim.wire.message import Wire
from dorosim.wire.reference import binary_head_rows, field_rows, header_text
from dorosim.wire.udp.catalogue import CATALOGUE
from dorosim.wire.udp.revision import REVISIONS
from dorosim.world.vehicle.catalogue import VEHICLE_MODELS
from dorosim.world.vehicle.model import VehicleModel

BANNER = "<!-- Made from the code by `make docs`. Change the tables there, not this page. -->\n\n"


def pages() -> dict[str, str]:
    """Every reference page by file name."""
    return {
        "udp-messages.md": BANNER + _messages_page(),
        "vehicles.md": BANNER + _vehicles_page(),
        "settings.md": BANNER + _settings_page(),
        "commands.md": BANNER + command_page(),
        "grpc.md": BANNER + grpc_page(),
        "ros.md": BANNER + ros_page(),
        "client.md": BANNER + client_page(),
        "sensors.md": BANNER + sensor_page(),
    }


def write_pages(folder: Path) -> None:
    """Write the reference pages into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8")


def _messages_page() -> str:
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


def _vehicles_page() -> str:
    return (
        "# Vehicles\n\n"
        "`--vehicle NAME`, or `vehicle` in `dorosim.toml`. Lengths in metres, angles in degrees, speeds in km/h.\n\n"
        + table(
            ("name", "category", "length", "width", "height", "wheelbase", "mass [kg]", "max. steering", "top speed"),
            [
                (
                    f"`{model.name}`",
                    model.category,
                    f"{model.length:g}",
                    f"{model.width:g}",
                    f"{model.height:g}",
                    f"{model.wheelbase:g}",
                    f"{model.mass:g}",
                    f"{math.degrees(model.max_steer):.4g}",
                    f"{model.max_speed * 3.6:.4g}",
                )
                for model in VEHICLE_MODELS
            ],
        )
        + "\n## Sources\n\n"
        + "".join(_vehicle_source(model) for model in VEHICLE_MODELS)
    )


def _vehicle_source(model: VehicleModel) -> str:
    estimated = f" Estimated: {', '.join(model.estimated)}." if model.estimated else ""
    return f"- `{model.name}`: {model.source}.{estimated}\n"


def _settings_page() -> str:
    text = (
        "# Settings\n\n`dorosim run --config dorosim.toml`; without `--config`, `dorosim.toml` of the present folder\n"
        "is used if there is one. Options of the command line go over the file. A key that is not listed here is an\n"
        "error.\n\n"
        "    dorosim config init            # writes dorosim.toml with every key, its meaning and default\n"
        "    dorosim config check           # says everything that is wrong with it\n"
        "    dorosim config show --seed 3   # what counts with these options of `dorosim run`, and who gave it\n"
    )
    for one in all_tables():
        text += f"\n## {one.title or 'top level'}\n\n{one.purpose}\n\n"
        text += table(("key", "default", "meaning"), [_setting_row(key) for key in one.keys])
    return text


def _setting_row(key: SettingKey) -> tuple[str, str, str]:
    """A key of the settings as a row; the default of a table is that of its keys."""
    default = "not given" if key.default is None else f"`{toml_value(key.default)}`"
    if key.default is msgspec.NODEFAULT:
        default = "has to be given"
    elif key.table is not None:
        default = "one, on the built-in start" if key.default and key.table.many is Many.LIST else ""
    choices = f"; {', '.join(f'`{toml_value(one)}`' for one in key.choices)}" if key.choices else ""
    link = f"; see {key.table.title}" if key.table is not None else ""
    return f"`{key.name}`", default, f"{key.meaning}{choices}{link}"


if __name__ == "__main__":
    write_pages(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/reference"))
