"""The run: start, scenario, pause, ticks, recordings, the map."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from dataclasses import dataclass, replace
from typing import Any, Literal

from dorosim.client.error import ClientError, RefusedError
from dorosim.client.operation import Session, Steps, call, do, method_named, operation, waiting
from dorosim.client.quantity import word
from dorosim.client.road_map import RoadMap, road_map_of
from dorosim.client.states import States
from dorosim.wire.grpc.descriptor import SEED_KEY

Side = Literal["left", "right", "from", "to"]
_SIDES = {side: f"NEIGHBORLINK_TYPE_{side.upper()}" for side in ("left", "right", "from", "to")}


@dataclass(frozen=True, slots=True)
class Moment:
    """Where a run in lockstep is.

    Attributes:
        frame: ticks that clients have asked for. time: simulated time as the simulator reports it [s].
    """

    frame: int
    time: float


class SimulationOperations(Session):
    """Starting, pausing, ticking and recording a run."""

    @operation
    def start(
        self,
        map_name: str = "",
        model: str = "",
        *,
        scenario: str = "",
        sensors: str = "",
        seed: int | None = None,
    ) -> Steps[None]:
        """Begin a run on a map.

        Args:
            map_name: "" for the present one.
            model: of the ego vehicle, "" for the default.
            scenario: name of a scenario file to load, "" for none.
            sensors: name of a sensor set file, "" for none.
            seed: of all that is random; None for that of the program.

        Raises:
            RefusedError: there is no such map, model, file or seed.
        """
        settings = {"morai_scenario_filename": scenario, "sensor_setting_filename": sensors}
        asked = call(
            "Simulation/Start",
            map_and_vehicle={"map_name": map_name, "ego_vehicle_model": model},
            ego_setting={"ego_id": "Ego", "client_key": self.key},
            simulation_settings=settings,
            client_key=self.key,
        )
        answer = yield asked if seed is None else replace(asked, metadata=((SEED_KEY, str(seed)),))
        if answer.status != 1 and "same map" not in answer.description:
            raise RefusedError(f"Simulation/Start: {answer.description or 'refused without a reason'}")

    @operation
    def stop(self) -> Steps[None]:
        """End what this client does in the run: what it made goes."""
        yield from do("Simulation/Stop", value=self.key)

    @operation
    def pause(self) -> Steps[None]:
        """Stop simulated time."""
        yield from do("Simulation/Pause")

    @operation
    def resume(self) -> Steps[None]:
        """Let simulated time go on."""
        yield from do("Simulation/Resume")

    @operation
    def load_scenario(self, name: str) -> Steps[None]:
        """Load a scenario file of the data folder, in MORAI's own format."""
        yield from do("Scenario/LoadMoraiScenario", value=name)

    @operation
    def set_synchronous(self, on: bool = True, *, period: float = 0.02) -> Steps[None]:
        """Begin or end synchronous mode, in which time goes on only as clients tick.

        `synchronous()` does both, and ends it whatever happens.

        Args:
            on: whether it is to begin.
            period: time of a tick [s].
        """
        kind = "SYNC_MODE_TYPE_SYNCHRONOUS" if on else "SYNC_MODE_TYPE_TIME_MANAGEMENT"
        yield from do("Simulation/SetSynchronousMode", type=kind, tick_period=round(period * 1000.0))

    @operation
    def tick(self, count: int = 1) -> Steps[Moment]:
        """Let so many ticks pass, and wait until they have; with several clients all of them must tick.

        One that does not is left behind after 10 s (`step_patience_s` in the simulator's settings), at once if it ends
        while it waits in a tick. So a tick may take longer than the client's timeout.
        """
        answer = yield waiting(call("Simulation/Tick", value=count), STEP_WAIT_S)
        return Moment(int(answer.frame_count), answer.elapsed_time / _ELAPSED)

    @operation
    def wait_for_tick(self) -> Steps[None]:
        """Wait for the next tick, whichever client asks for it."""
        yield waiting(call("Simulation/WaitForTick"), STEP_WAIT_S)

    @operation
    def time(self) -> Steps[float]:
        """Simulated time since the run began [s]."""
        frame = yield call("Bulk/GetStates", columns=["id"])
        return float(frame.time_ns) / 1e9

    @operation
    def start_recording(self, name: str = "") -> Steps[None]:
        """Begin to record the run under a name. `recording()` does this and ends it."""
        yield from do("Simulation/SetResimRecordMode", status="RESIM_RECORD_STATUS_START", filepath=name)

    @operation
    def stop_recording(self) -> Steps[None]:
        """End the recording."""
        yield from do("Simulation/SetResimRecordMode", status="RESIM_RECORD_STATUS_STOP")

    @operation
    def is_recording(self) -> Steps[bool]:
        """Whether the run is recorded."""
        answer = yield call("Simulation/GetResimRecordStatus")
        return bool(answer.status == 1)

    @operation
    def maps(self) -> Steps[tuple[str, ...]]:
        """Names of the maps."""
        answer = yield call("Simulator/GetAvailableMaps")
        return tuple(answer.values)

    @operation
    def map_files(self, name: str = "") -> Steps[dict[str, Any]]:
        """The files of a map (MGeo), read: records by file name, such as "link_set.json".

        Args:
            name: of the map, "" for the present one.

        Raises:
            ClientError: a file cannot be read.
        """
        return (yield from _map_files(name))

    @operation
    def road_map(self, name: str = "") -> Steps[RoadMap]:
        """The lanes of a map as lines, which a notebook shows as a picture; see `RoadMap`.

        Args:
            name: of the map, "" for the present one.

        Raises:
            ClientError: a file cannot be read.
        """
        files = yield from _map_files(name)
        frame = yield call("Bulk/GetStates", columns=["id", "kind", "model", "position"])
        return road_map_of(name, files, None if name else States(frame))

    @operation
    def neighbour_links(self, link: str, side: Side) -> Steps[tuple[str, ...]]:
        """Ids of the links to the "left" or "right" of a link, that lead into it ("from") or follow it ("to")."""
        kind = word("side", side, _SIDES)
        answer = yield call("Map/GetNeighborLink", type=kind, target_link_id={"value": link})
        return tuple(answer.values)

    @operation
    def vehicles_on_link(self, link: str) -> Steps[tuple[str, ...]]:
        """Ids of the vehicles on a link."""
        answer = yield call("Map/GetVehiclesOnLink", id={"value": link})
        return tuple(one.id.value for one in answer.values)

    @operation
    def version(self) -> Steps[str]:
        """The simulator's version."""
        answer = yield call("Simulator/GetSimulatorVersion")
        return str(answer.value)

    @operation
    def ask(self, name: str, /, **fields: Any) -> Steps[Any]:
        """Call any procedure of the gRPC APIs that does not stream, for what has no method here.

        Args:
            name: "Service/Name", such as "Actor/SetVehicleDynamicsMass"; the documented API is "MoraiService".
            fields: of the request, in its own units; messages as dicts, codes by their names.

        Returns:
            The response message.

        Raises:
            RefusedError: there is no such procedure or field, or the simulator says no.
        """
        method = method_named(name)
        if method.client_streaming or method.server_streaming:
            raise RefusedError(f"{name} streams", "use states() for the states of everybody")
        answer = yield call(name, **fields)
        return answer

    @operation
    def data_folder(self) -> Steps[str]:
        """The simulator's data folder, on its machine."""
        answer = yield call("Simulator/GetDataPath")
        return str(answer.value)


def _map_files(name: str) -> Steps[dict[str, Any]]:
    answer = yield call("Map/GetMGeo", value=name)
    return {file.filename: _read(file.filename, file.compressed_data) for file in answer.objects}


_ELAPSED = 1e3
"""Units of SyncTimestamp.elapsed_time in a second."""
STEP_WAIT_S = 30.0
"""Wall time for which a server lets a step wait for other clients, unless its settings allow them more [s]."""
MAX_MAP_FILE = 1 << 30
"""No file of a map is larger than this [bytes]."""


def _read(name: str, text: str) -> Any:
    try:
        unpacked = zlib.decompressobj(31).decompress(base64.b64decode(text), MAX_MAP_FILE)
        return json.loads(unpacked)
    except (binascii.Error, zlib.error, ValueError) as error:
        raise ClientError(f"the map's file {name} cannot be read: {error}", "does the server speak dorosim?") from None
