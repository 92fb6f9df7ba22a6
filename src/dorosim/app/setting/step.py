"""Settings of the fixed step over TCP."""

from __future__ import annotations

from typing import Literal

import msgspec


class TcpStepSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """MORAI SIM 2's fixed step over TCP, and its UDP without a header.

    Attributes:
        enabled: whether it is served.
        address: where it is served; port 0 takes any that is free.
        vehicle_info: where the Vehicle Info of each ego vehicle goes, in the order of creation; "" for nowhere.
        collision: where the collision events of all ego vehicles go; "" for nowhere.
        control: where datagrams come that drive each ego vehicle, in the order of creation; "" for nowhere.
        wheels: whether the places of the wheels stand behind Vehicle Info.
        template: layout of Vehicle Info, a .tmpl file as MORAI SIM 2 saves it; the usual one if it is not given.
        rate_hz: how often Vehicle Info goes out while no client steps the run by TCP, in simulated time.
        info_after: after what it goes out while one does: after each step, after each SaveData, or after each step
            until a client sends SaveData behind each of them.
        time_form: in which of the three forms of the public clients time is spoken of with a client that has not shown
            which one it knows.
        suites: folders besides Scenario/ of the data folder in which clients may open suites (.msuite).
        clients: most connections at a time.
        frame_timeout_s: wall time in which a frame has to come, and an answer to be taken [s].
        watchdog: as `udp.watchdog`, for vehicles that clients drive by TCP or its datagrams; not while they step.
    """

    enabled: bool = False
    address: str = "127.0.0.1:20000"
    vehicle_info: tuple[str, ...] = ("127.0.0.1:9091", "127.0.0.1:9092")
    collision: str = "127.0.0.1:9094"
    control: tuple[str, ...] = ("127.0.0.1:9090",)
    wheels: bool = False
    template: str | None = None
    rate_hz: float = 50.0
    info_after: Literal["auto", "step", "save"] = "auto"
    time_form: Literal["first", "second", "third"] = "second"
    suites: tuple[str, ...] = ()
    clients: int = 16
    frame_timeout_s: float = 10.0
    watchdog: Literal["hold", "brake"] = "hold"
