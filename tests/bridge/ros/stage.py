"""Topics and services without sockets: messages go to the bridge, commands to a small world, answers come back."""

from __future__ import annotations

from typing import Any

from dorosim.bridge.actor import names_of
from dorosim.bridge.answer import Notice, Refusal
from dorosim.bridge.host import Host
from dorosim.bridge.reply import DeferredReply
from dorosim.bridge.ros.catalogue import PROVIDED, PUBLISHED, SUBSCRIBED
from dorosim.bridge.ros.topic import RosForm, RosSituation
from dorosim.bridge.situation import SceneIndex, Situation
from dorosim.ground.error import DorosimError
from dorosim.wire.ros.registry import registry_of
from tests.bridge.grpc.stage import Around
from tests.scenario.world import SMALL
from tests.world.stage import Stage

EPOCH = 1_700_000_000_500_000_000
ROWS = {row.key: row for row in (*PUBLISHED, *SUBSCRIBED, *PROVIDED)}


class RosStage(Stage):
    """A small world that is spoken to by ROS messages. Every message goes through its bytes.

    Attributes:
        around: the program around it. form: choices of the user. notices: what users were told of messages.
    """

    def __init__(self, network=SMALL, *, generation: str = "2024", **rest: Any) -> None:
        super().__init__(network, **rest)
        self.around = Around()
        self.registry = registry_of(generation)
        self.form = RosForm(registry=self.registry, epoch=EPOCH)
        self.notices: list[Notice] = []
        self._index = SceneIndex(self.scene)

    @property
    def situation(self) -> RosSituation:
        """The present one."""
        around: Any = self.around
        host = Host(around, around, around, around, around, around.bags)
        at = Situation(self.now, self.scene, self._index, names_of(self.now), host, "test")
        return RosSituation(at, self.form)

    def make(self, name: str, /, **fields: Any) -> Any:
        """A message, of morai_msgs where no package is named."""
        return self.registry.make(name if "/" in name else f"morai_msgs/{name}", **fields)

    def vector(self, x: float, y: float, z: float) -> Any:
        """A geometry_msgs/Vector3."""
        return self.registry.make("geometry_msgs/Vector3", x=x, y=y, z=z)

    def through(self, message: Any) -> Any:
        """A message as it comes out of its bytes."""
        name = message.__msgtype__.replace("/msg/", "/")
        return self.registry.decode(name, bytes(self.registry.encode(message)))

    def told(self, key: str) -> Any:
        """The message of a topic at the present snapshot, None where it has nothing to say."""
        row = ROWS[key]
        made = row.make(self.situation)
        if made is None:
            return None
        message = self.through(made)
        assert message.__msgtype__.replace("/msg/", "/") == row.type
        return message

    def send(self, key: str, _message: Any = None, /, **fields: Any) -> list[str]:
        """Publish a message to the simulator; its commands apply in a tick of no duration. Why it is refused, if it is.

        Args:
            key: of the topic.
            _message: else it is made of the fields.
            fields: of the message.
        """
        row = ROWS[key]
        message = self.through(_message if _message is not None else self.registry.make(row.type, **fields))
        try:
            answers = tuple(row.meaning(message, self.situation))
        except DorosimError as error:
            return [str(error)]
        self.notices += [answer for answer in answers if isinstance(answer, Notice)]
        refusals = [answer.reason for answer in answers if isinstance(answer, Refusal)]
        commands = [answer for answer in answers if not isinstance(answer, Notice | Refusal)]
        if commands:
            self.tick(*commands, paused=True)
            refusals += [outcome.refusal for outcome in self.now.outcomes if outcome.refusal]
        return refusals

    def call(self, key: str, **fields: Any) -> Any:
        """What a service answers to a request with these fields."""
        row = ROWS[key]
        service = self.registry.services[row.type]
        (_, (_, request)), *_rest = self.registry.fields(service.request)
        inner = self.registry.make(request.replace("/msg/", "/"), **fields)
        found = row.meaning(self.through(self.registry.make(service.request, request=inner)), self.situation)
        if isinstance(found, DeferredReply):
            now = self.tick(*found.commands, paused=True) if found.commands else self.now
            found = found.reply(now, now.outcomes if found.commands else ())
        answer = self.through(found)
        assert answer.__msgtype__.replace("/msg/", "/") == service.response
        return answer.response
