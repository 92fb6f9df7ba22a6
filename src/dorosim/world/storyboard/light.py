"""How bright a light that a storyboard has switched is."""

from __future__ import annotations

from dorosim.world.storyboard.control_state import LampMode, LightTable


def brightness_of(table: LightTable, row: int, time: int) -> float:
    """How bright a light is, 0 to 1; a flashing one begins with its time on.

    Args:
        table: the lights.
        row: of the light.
        time: since the storyboard's start [ns].
    """
    brightness = float(table.brightness[row])
    if table.mode[row] != LampMode.FLASHING:
        return brightness
    cycle = int(table.on_time[row] + table.off_time[row])
    return brightness if cycle <= 0 or (time - int(table.since[row])) % cycle < table.on_time[row] else 0.0
