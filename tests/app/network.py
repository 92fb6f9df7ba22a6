"""Network settings of a run whose ports the test chooses."""

from __future__ import annotations

from pathlib import Path


def network_file(folder: Path, listen: int, status: int) -> Path:
    """A file by which a run listens to commands and sends its vehicle's status."""
    path = folder / "net.toml"
    path.write_text(
        f'[[listen]]\naddress = "127.0.0.1:{listen}"\n\n'
        f'[[send]]\nmessage = "EgoVehicleStatus"\nto = "127.0.0.1:{status}"\n'
    )
    return path
