"""What a topic and a service of ROS are: a name, a type, and one function that says what it means.

Tables of them, by domain, stand in the modules beside this one; `catalogue` joins them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Any

from dorosim.bridge.answer import Answer
from dorosim.bridge.reply import DeferredReply
from dorosim.bridge.situation import Situation
from dorosim.wire.ros.registry import Registry

DEFAULT_RATE_HZ = 50.0
"""As the product's network files have it: pubSleepTime 0.02 (facts/ros-grpc-mgeo.md, 1.3)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RosForm:
    """Choices of the user.

    Attributes:
        registry: message types of the user's generation of morai_msgs.
        epoch: wall time of simulated time 0 [ns since 1970].
        map_frame: of /tf; tf2 refuses a leading slash, which the product has (design/seams.md).
        body_frame: of the ego vehicle.
        by_ability: a speed that is asked for is reached as fast as the vehicle can, else as fast as the documents say.
    """

    registry: Registry
    epoch: int = 0
    map_frame: str = "map"
    body_frame: str = "base_link"
    by_ability: bool = False

    def with_epoch(self, epoch: int) -> RosForm:
        """The same with another epoch [ns since 1970]; itself if it has it already."""
        return self if epoch == self.epoch else replace(self, epoch=epoch)


@dataclass(frozen=True, slots=True)
class RosSituation:
    """What a message needs beside its own fields when it comes, or is made.

    Attributes:
        at: the same as of gRPC: snapshot, map, names of actors, program around the world, and the client that asks.
        form: choices of the user.
        history: what topics remember from one message to the next, by key; lost with the run.
        frame: frame id that the settings give the topic, "" for its own.
    """

    at: Situation
    form: RosForm
    history: dict[str, Any] = field(default_factory=dict)
    frame: str = ""

    def header(self, frame: str = "") -> Any:
        """A std_msgs/Header at the snapshot's time.

        Args:
            frame: frame id where the settings give the topic none.
        """
        registry = self.form.registry
        stamp = registry.time(self.form.epoch + self.at.now.time)
        return registry.make("std_msgs/Header", stamp=stamp, frame_id=self.frame or frame)

    def map_header(self) -> Any:
        """A header of a message whose values are in the map frame."""
        return self.header(self.form.map_frame)


@dataclass(frozen=True, slots=True)
class Published:
    """A topic that the simulator publishes.

    Attributes:
        key: in the settings: `[ros.topic.KEY]`.
        topic: default name. type: of its messages.
        make: returns the message at a snapshot, None for no message now.
        rate_hz: default, in simulated time; 0 for each tick.
        module: number of the product's network module, by which its settings files name it (PUBSUB_TYPE), 0 for none.
        frame: default frame id; "map" stands for `RosForm.map_frame`.
        latched: whether a new subscriber gets the last message.
        on: whether it is published unless settings say otherwise.
        pushed: whether its messages come from elsewhere, when they are made, and not of a snapshot.
        standing: whether it is published again while simulated time stands, as in a pause.
    """

    key: str
    topic: str
    type: str
    make: Callable[[RosSituation], Any]
    _: KW_ONLY
    rate_hz: float = DEFAULT_RATE_HZ
    module: int = 0
    frame: str = ""
    latched: bool = False
    on: bool = True
    pushed: bool = False
    standing: bool = True


def no_message(_: RosSituation) -> None:
    """Returns None: the `make` of topics whose messages do not come from snapshots."""


@dataclass(frozen=True, slots=True)
class Subscribed:
    """A topic that the simulator listens to.

    Attributes:
        key: in the settings. topic: default name. type: of its messages.
        meaning: what a message asks for, part by part; it may raise InputError: nothing is done.
        module: number of the product's network module, 0 for none.
    """

    key: str
    topic: str
    type: str
    meaning: Callable[[Any, RosSituation], Iterable[Answer]]
    _: KW_ONLY
    module: int = 0


@dataclass(frozen=True, slots=True)
class Provided:
    """A service.

    Attributes:
        key: in the settings. service: default name. type: of the service.
        meaning: an answer, or commands and how to answer after them; it may wait, as synchronous mode does, and may
            raise InputError: nothing is done, and the caller gets the error.
        module: number of the product's network module, 0 for none.
    """

    key: str
    service: str
    type: str
    meaning: Callable[[Any, RosSituation], Any | DeferredReply]
    _: KW_ONLY
    module: int = 0
