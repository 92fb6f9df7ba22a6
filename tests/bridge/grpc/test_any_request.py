"""Whatever sound request comes, every procedure answers it or says why not, and the world stays whole."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dorosim.bridge.grpc.catalogue import procedures
from dorosim.bridge.reply import DeferredReply
from dorosim.ground.error import DorosimError
from dorosim.wire.grpc.check import flaw_of
from dorosim.wire.grpc.descriptor import methods
from dorosim.world.actor.command import CreateNamed
from dorosim.world.mount.command import AddSensor
from dorosim.world.mount.setting import GpsSettings
from dorosim.world.snapshot import EGO
from dorosim.world.snapshot_validation import flaw_of as flaw_of_world
from dorosim.world.traffic.command import CreateNpc
from dorosim.world.vehicle.command import CreateVehicle
from tests.bridge.grpc.stage import Around, GrpcStage
from tests.wire.grpc.message_strategy import messages

KNOWN = ("Ego", "2", "3", "mine", "A", "B", "1", "2015_Kia_K5", "PE Box", "Puddle", "Link", "me")
"""Texts that mean something on the stage."""
DONE = procedures()
METHODS = [method for method in methods() if method.path in DONE]
STAGE = GrpcStage()
FIRST = STAGE.tick(
    CreateNamed(CreateNpc(model="2015_Kia_K5", link=0, s=20.0), "mine", "me"),
    CreateVehicle(model="2015_Kia_K5", position=(0.0, 90.0, 0.0)),
    AddSensor(EGO, settings=GpsSettings()),
)


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.path)
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_procedure_answers_any_request(method, data):
    STAGE.now, STAGE.around = FIRST, Around()
    request = data.draw(messages(method.request.DESCRIPTOR))
    season(request, data)
    if flaw_of(request):
        return
    try:
        found = DONE[method.path](request, STAGE.situation)
        if isinstance(found, DeferredReply):
            now = STAGE.tick(*found.commands, paused=True)
            assert flaw_of_world(STAGE.scene, FIRST, now) == ""
            STAGE.ticks(2)
            found = found.reply(now, now.outcomes)
    except DorosimError:
        return
    assert type(found) is method.response
    found.SerializeToString()


def season(message, data) -> None:
    """Let texts of a message be such as mean something, more often than chance has it."""
    for field, value in message.ListFields():
        if field.message_type is not None:
            for part in value if field.is_repeated else (value,):
                season(part, data)
        elif field.type == field.TYPE_STRING and not field.is_repeated and data.draw(st.booleans()):
            setattr(message, field.name, data.draw(st.sampled_from(KNOWN)))
