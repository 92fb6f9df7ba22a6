"""All reference pages, by the names of their files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tools.reference.client import client_page
from tools.reference.command import command_page
from tools.reference.environment import environment_page
from tools.reference.grpc import grpc_page
from tools.reference.ros import ros_page
from tools.reference.sensor import sensor_page
from tools.reference.setting import setting_page
from tools.reference.tcp_step import tcp_step_page
from tools.reference.udp import udp_page
from tools.reference.vehicle import vehicle_page
from tools.reference.weather import weather_page

BANNER = "<!-- Made from the code by `make docs`. Change the tables there, not this page. -->\n\n"


PAGES: dict[str, Callable[[], str]] = {
    "udp-messages.md": udp_page,
    "vehicles.md": vehicle_page,
    "settings.md": setting_page,
    "commands.md": command_page,
    "grpc.md": grpc_page,
    "ros.md": ros_page,
    "fixed-step.md": tcp_step_page,
    "client.md": client_page,
    "sensors.md": sensor_page,
    "weather.md": weather_page,
    "environments.md": environment_page,
}
"""What makes each page, by the name of its file."""


def page_of(name: str) -> str:
    """A reference page by the name of its file."""
    return BANNER + PAGES[name]()


def write_pages(folder: Path) -> None:
    """Write the reference pages into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in PAGES:
        (folder / name).write_text(page_of(name), encoding="utf-8")
