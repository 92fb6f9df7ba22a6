"""Whatever message comes, every topic and service does it or says why not, and the world stays whole."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dorosim.bridge.answer import Notice, Refusal
from dorosim.bridge.reply import DeferredReply
from dorosim.bridge.ros.catalogue import PROVIDED, PUBLISHED, SUBSCRIBED
from dorosim.ground.error import DorosimError
from dorosim.wire.ros.registry import GENERATIONS
from dorosim.world.mount.command import AddSensor
from dorosim.world.mount.setting import GpsSettings
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.snapshot_validation import flaw_of
from dorosim.world.traffic.command import CreateNpc
from dorosim.world.vehicle.command import CreateVehicle
from tests.bridge.grpc.stage import Around
from tests.bridge.ros.message_strategy import messages
from tests.bridge.ros.stage import RosStage


@cache
def stage_of(generation: str) -> tuple[RosStage, Snapshot]:
    """A stage with actors, and its first snapshot."""
    stage = RosStage(generation=generation)
    return stage, stage.tick(
        CreateNpc(model="2015_Kia_K5", link=0, s=20.0),
        CreateVehicle(model="2015_Kia_K5", position=(0.0, 90.0, 0.0)),
        AddSensor(EGO, settings=GpsSettings()),
    )


ANY = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


def begin(data) -> RosStage:
    """A stage of any generation, at its start."""
    generation = data.draw(st.sampled_from(GENERATIONS))
    stage, first = stage_of(generation)
    stage.now, stage.around = first, Around()
    return stage


def step(stage: RosStage, commands) -> None:
    """Commands apply, and the world stays sound and goes on."""
    before = stage.now
    now = stage.tick(*commands, paused=True)
    assert flaw_of(stage.scene, before, now) == ""
    stage.ticks(2)


@pytest.mark.parametrize("row", SUBSCRIBED, ids=lambda row: row.key)
@ANY
@given(data=st.data())
def test_a_topic_takes_any_message(row, data):
    stage = begin(data)
    if row.type not in stage.registry.types:
        return
    message = stage.through(data.draw(messages(stage.registry, row.type)))
    try:
        answers = tuple(row.meaning(message, stage.situation))
    except DorosimError:
        return
    refusals = [answer for answer in answers if isinstance(answer, Refusal)]
    assert not refusals or len(refusals) == len(answers), "refused as a whole"
    step(stage, [answer for answer in answers if not isinstance(answer, Refusal | Notice)])
    for topic in PUBLISHED:
        if topic.type in stage.registry.types:
            stage.told(topic.key)


@pytest.mark.parametrize("row", PROVIDED, ids=lambda row: row.key)
@ANY
@given(data=st.data())
def test_a_service_answers_any_request(row, data):
    stage = begin(data)
    if row.type not in stage.registry.services:
        return
    service = stage.registry.services[row.type]
    request = stage.through(data.draw(messages(stage.registry, service.request)))
    try:
        found = row.meaning(request, stage.situation)
        if isinstance(found, DeferredReply):
            now = stage.tick(*found.commands, paused=True)
            assert flaw_of(stage.scene, stage_of(stage.registry.generation)[1], now) == ""
            found = found.reply(now, now.outcomes)
    except DorosimError:
        return
    assert stage.through(found).__msgtype__.replace("/msg/", "/") == service.response
    stage.ticks(2)
