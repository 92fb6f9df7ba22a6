"""Goes over to the addresses of a network settings file while a run goes on (UDP page, Scenario Load)."""

from __future__ import annotations

from pathlib import Path

from dorosim.app.setting.network import read_network
from dorosim.endpoint.udp.endpoint import UdpEndpoint
from dorosim.ground.error import InputError


class EndpointSwitch:
    """Changes the addresses of a run's UDP endpoint.

    Those of ROS, gRPC and sensors stay: their peers are connected, or have files of their own.

    Args:
        endpoint: of the run.
        port_offset: is added to every port of a file.
    """

    def __init__(self, endpoint: UdpEndpoint, port_offset: int = 0) -> None:
        self._endpoint, self._port_offset = endpoint, port_offset

    def load(self, source: str) -> list[str]:
        """Go over to the addresses of a file in dorosim's own form (.toml) or as MORAI SIM saves it (.json).

        Returns:
            Where is listened and sent from now on, and what of the file is not used, one line each.

        Raises:
            InputError: the file is wrong somewhere, or an address cannot be used; then nothing changes.
        """
        path = Path(source)
        network, left_out = read_network(path)
        try:
            network = network.moved(self._port_offset)
            notices = self._endpoint.change(network)
        except InputError as error:
            raise InputError(source, error.place, error.problem, error.cure) from None
        listen = ", ".join(map(str, dict.fromkeys(network.listen))) or "nothing"
        send = ", ".join(f"{one.message} to {one.destination}" for one in network.publications) or "nothing"
        lines = [f"network settings {source}: listening to {listen}; sending {send}", *notices, *left_out]
        if path.suffix == ".json":
            lines.append(f"{source}: topics and bridge of ROS are those of the program's start")
        return lines
