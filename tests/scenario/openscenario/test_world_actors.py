"""Entities of a storyboard are actors of the world: where its table says, by the same bits from any snapshot."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.bridge.view.pick import Picker
from dorosim.ground.rotation import rotation_from_angles
from dorosim.sensor.actor import SIZE, actor_rows
from dorosim.sensor.scene.actor.catalogue import actor_models
from dorosim.sensor.scene.placement import ActorPlacement
from dorosim.sensor.scene.static.world import StaticWorld
from dorosim.world.actor.command import PauseRun, RemoveActor
from dorosim.world.actor.neighbour import neighbours_of
from dorosim.world.obstacle.state import OBSTACLE_MODELS
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.step import step
from dorosim.world.storyboard.actor import ABSENT_Z
from dorosim.world.storyboard.visibility import HiddenFrom
from dorosim.world.traffic.command import CreateNpc
from dorosim.world.vehicle.command import DriveVehicle
from dorosim.world.vehicle.mode import ControlKind, ControlMode
from tests.bridge.view.shown import NO_LIGHTS
from tests.scenario.openscenario.storyboard_text import TIME, event, file_text, speed
from tests.scenario.openscenario.world_run import NOISE, scene_with, snapshots, start_of
from tests.sensor.scene.build import plane
from tests.world.world import CAR

BOX = '<BoundingBox><Center x="{x}" y="0" z="{z}"/><Dimensions width="{w}" length="{l}" height="{h}"/></BoundingBox>'
OTHERS = f"""<ScenarioObject name="walker"><Pedestrian name="somebody" mass="80" pedestrianCategory="pedestrian">
 {BOX.format(x=0.06, z=0.9, w=0.5, l=0.6, h=1.8)}</Pedestrian></ScenarioObject>
<ScenarioObject name="thing"><MiscObject name="crate" mass="80" miscObjectCategory="obstacle">
 {BOX.format(x=0.5, z=0.7, w=2, l=3, h=1)}</MiscObject></ScenarioObject></Entities>"""
PLACES = """</Private>
<Private entityRef="walker"><PrivateAction><TeleportAction><Position><WorldPosition x="20" y="5" h="2" z="0.1"/>
</Position></TeleportAction></PrivateAction>{walk}</Private>
<Private entityRef="thing"><PrivateAction><TeleportAction><Position><WorldPosition x="40" y="-5" h="1" p="0.1" r="0.2"/>
</Position></TeleportAction></PrivateAction></Private></Actions>"""
OTHER_CAR = f"""<ScenarioObject name="other"><Vehicle name="van" vehicleCategory="van">
 {BOX.format(x=1.4, z=0.9, w=2, l=5, h=1.8)}<Performance maxSpeed="70" maxAcceleration="9" maxDeceleration="9"/>
 <Axles><RearAxle maxSteering="0" wheelDiameter="0.6" trackWidth="1.6" positionX="0" positionZ="0.3"/></Axles>
 </Vehicle></ScenarioObject>"""
OTHER_PLACE = """<PrivateAction><TeleportAction><Position><WorldPosition x="450" y="3.5" h="3.14159"/></Position>
 </TeleportAction></PrivateAction>"""
ADD = """<GlobalAction><EntityAction entityRef="{name}"><{what}EntityAction>{where}</{what}EntityAction></EntityAction>
</GlobalAction>"""
WHERE = '<Position><WorldPosition x="{x}" y="1" h="0.5"/></Position>'


def with_others(text: str) -> str:
    """A file whose car has a walker and a thing beside it."""
    made = text.replace("</Entities>", OTHERS, 1)
    return made.replace("</Private></Actions>", PLACES.format(walk=speed(1.5)), 1)


def check_vehicle(now: Snapshot, entity: int, actor: int) -> None:
    """A vehicle is exactly where the table has its entity, and moves as that does."""
    table, vehicle, row = now.storyboard.entity, now.vehicle, now.row_of(actor)
    assert table.actor[entity] == actor
    for mine, theirs in (
        (vehicle.x, table.x),
        (vehicle.y, table.y),
        (vehicle.z, table.z),
        (vehicle.yaw, table.heading),
        (vehicle.pitch, table.pitch),
        (vehicle.roll, table.roll),
        (vehicle.angular_velocity[2], table.yaw_rate),
    ):
        assert mine[row] == pytest.approx(theirs[entity], abs=1e-9)
    turn = rotation_from_angles(*(float(a[row]) for a in (vehicle.roll, vehicle.pitch, vehicle.yaw)))
    velocity = turn @ np.array((vehicle.velocity_x[row], vehicle.velocity_y[row], vehicle.velocity_z[row]))
    assert velocity == pytest.approx([c[entity] for c in (table.velocity_x, table.velocity_y, table.velocity_z)])
    asked = [c[entity] for c in (table.acceleration_x, table.acceleration_y, table.acceleration_z)]
    assert turn @ vehicle.acceleration[:, row] == pytest.approx(asked, abs=1e-9)


def test_actors_are_where_the_table_says():
    scene = scene_with(with_others(file_text(event("go", speed(10.0, "linear", "time", 1.0), TIME.format(time=0.2)))))
    for now in (start_of(scene), *snapshots(scene, 150)):
        table = now.storyboard.entity
        check_vehicle(now, 0, EGO)
        walker, thing = (int(table.actor[row]) for row in (1, 2))
        people, things = now.people.state, now.obstacles.state
        for state, row, actor, ahead, up in ((people, 1, walker, 0.06, 0.0), (things, 2, thing, 0.5, 0.2)):
            at, heading = state.row_of(actor), table.heading[row]
            assert state.x[at] == pytest.approx(table.x[row] + ahead * math.cos(heading), abs=1e-9)
            assert state.y[at] == pytest.approx(table.y[row] + ahead * math.sin(heading), abs=1e-9)
            assert state.z[at] == pytest.approx(table.z[row] + up, abs=1e-9)
            assert math.remainder(state.yaw[at] - heading, math.tau) == pytest.approx(0.0, abs=1e-9)
    assert now.vehicle.velocity_x[0] == pytest.approx(10.0)
    assert people.speed[0] == pytest.approx(1.5)
    assert people.walked[0] == pytest.approx(2.25)
    assert (things.pitch[0], things.roll[0]) == pytest.approx((0.1, 0.2))


def test_entities_keep_their_boxes():
    now = start_of(scene_with(with_others(file_text(""))))
    parameter = now.parameter
    assert (parameter.length[0], parameter.width[0], parameter.height[0]) == (5.0, 2.0, 1.5)
    # the box goes from 1.1 m behind the rear axle to 3.9 m before it
    assert parameter.rear_overhang[0] == pytest.approx(1.1)
    assert parameter.wheelbase[0] + parameter.front_overhang[0] == pytest.approx(3.9)
    things = now.obstacles.state
    assert (things.length[0], things.width[0], things.height[0]) == (3.0, 2.0, 1.0)
    assert OBSTACLE_MODELS[things.model[0]].name == "box"
    assert PEDESTRIAN_MODELS[now.people.state.model[0]].name == "adult_male"
    assert now.label.all() == {2: ("walker", ""), 3: ("thing", "")}


def test_an_entity_comes_and_goes():
    where = WHERE.format(x=33)
    text = with_others(
        file_text(
            event("del", ADD.format(name="walker", what="Delete", where=""), TIME.format(time=0.1))
            + event("delc", ADD.format(name="car", what="Delete", where=""), TIME.format(time=0.1))
            + event("add", ADD.format(name="walker", what="Add", where=where), TIME.format(time=0.2))
            + event("addc", ADD.format(name="car", what="Add", where=WHERE.format(x=7)), TIME.format(time=0.2))
        )
    )
    scene = scene_with(text)
    ticks = list(snapshots(scene, 30))
    assert [len(now.people) for now in ticks] == [1] * 10 + [0] * 10 + [1] * 10
    gone, back = ticks[15], ticks[25]
    assert gone.storyboard.entity.actor.tolist() == [0, 0, 3]
    # the ego vehicle is always in the world; meanwhile nothing meets it
    assert gone.vehicle.z[0] == ABSENT_Z
    assert back.storyboard.entity.actor.tolist() == [EGO, 4, 3]
    check_vehicle(back, 0, EGO)
    assert (back.vehicle.x[0], back.people.state.z[0]) == (7.0, 0.0)


def test_a_run_goes_on_from_any_snapshot_with_the_same_bits():
    scene = scene_with(
        with_others(file_text(event("go", speed(10.0, "sinusoidal", "time", 1.0), TIME.format(time=0.2))))
    )
    whole = list(snapshots(scene, 120))
    assert len({now.digest() for now in whole}) == 120
    for at in (0, 30, 90):
        again = list(snapshots(scene, 119 - at, whole[at]))
        assert [now.digest() for now in again] == [now.digest() for now in whole[at + 1 :]]


def test_nothing_else_moves_an_entity():
    scene = scene_with(file_text("", speed(10.0)))
    drive = DriveVehicle(EGO, ControlKind.PEDALS, ControlMode.AUTO, brake=1.0)
    plain, driven = (list(snapshots(scene, 50, commands=one)) for one in ((), (drive,)))
    assert driven[0].refusals == ()
    assert driven[-1].vehicle.x[0] == plain[-1].vehicle.x[0] == pytest.approx(5.0)


def test_a_paused_run_has_a_paused_storyboard():
    scene = scene_with(file_text("", speed(10.0)))
    now = start_of(scene)
    held = step(scene, now, (PauseRun(paused=True),), NOISE)
    held = step(scene, held, (), NOISE)
    assert held.storyboard.entity.x[0] == held.vehicle.x[0] == 0.0
    on = step(scene, held, (PauseRun(paused=False),), NOISE)
    assert on.storyboard.entity.x[0] == on.vehicle.x[0] == pytest.approx(0.1)
    assert on.time == 10_000_000


def test_after_its_end_nothing_moves():
    scene = scene_with(with_others(file_text("", speed(10.0), end=0.5)))
    ticks = list(snapshots(scene, 60))
    ended = [now.storyboard_report.ended for now in ticks]
    assert ended.count("the stop trigger is met") == 1
    assert ended.index("the stop trigger is met") == 50
    last = ticks[-1]
    assert last.storyboard.ended == 500_000_000
    assert last.vehicle.x[0] == ticks[49].vehicle.x[0]
    assert last.vehicle.velocity_x[0] == last.people.state.speed[0] == 0.0


def test_a_client_may_remove_the_actor_of_an_entity():
    scene = scene_with(with_others(file_text("")))
    start = start_of(scene)
    actor = int(start.storyboard.entity.actor[1])
    for now in snapshots(scene, 5, start, (RemoveActor(actor),)):
        assert now.people.state.rows == 0


def test_entities_meet_others_as_bodies():
    text = file_text("", speed(20.0)).replace('x="0" y="0" h="0"', 'x="460" y="0" h="0"')
    scene = scene_with(text)
    # an NPC vehicle in its way is pushed, and the entity goes on as the storyboard has it
    npc = CreateNpc(model=CAR, link=scene.network.link_index("E2"), s=484.0, paused=True)
    start = step(scene, start_of(scene), (npc,), NOISE)
    assert start.traffic.rows == 1
    touched = False
    for now in snapshots(scene, 120, start):
        check_vehicle(now, 0, EGO)
        touched |= now.contact.rows > 0
    assert touched
    assert now.traffic.x[0] > 485.0


VISIBILITY = """<PrivateAction><VisibilityAction graphics="{g}" sensors="{s}" traffic="{t}"/></PrivateAction>"""


@pytest.mark.parametrize("what", ["graphics", "sensors", "traffic"])
def test_an_entity_is_hidden_from_what_the_scenario_says(what):
    flags = {name: str(name != what).lower() for name in ("graphics", "sensors", "traffic")}
    hide = VISIBILITY.format(g=flags["graphics"], s=flags["sensors"], t=flags["traffic"])
    text = file_text("", end=9.0).replace('x="0" y="0" h="0"', 'x="460" y="0" h="0"')
    other = text.replace("</Entities>", OTHER_CAR + "</Entities>", 1)
    private = f"<Private entityRef='other'>{OTHER_PLACE}{hide}</Private>"
    other = other.replace("</Actions></Init>", f"{private}</Actions></Init>", 1)
    scene = scene_with(other)
    npc = CreateNpc(model=CAR, link=scene.network.link_index("W2"), s=100.0, speed=13.0)
    start = step(scene, start_of(scene), (npc,), NOISE)
    actor = int(start.storyboard.entity.actor[1])
    assert actor == 2
    models = actor_models(scene.models)
    eyes = (HiddenFrom.GRAPHICS, HiddenFrom.SENSORS)
    seen = {eye: actor in ActorPlacement(scene, models).of(start, eye).actor for eye in eyes}
    assert seen == {HiddenFrom.GRAPHICS: what != "graphics", HiddenFrom.SENSORS: what != "sensors"}
    picker = Picker(scene, models, (0.0, 0.0, 0.0), lambda: StaticWorld(plane(half=700.0), NO_LIGHTS))
    place = (float(start.storyboard.entity.x[1]), float(start.storyboard.entity.y[1]), 30.0)
    assert (picker.at(start, place, (0.0, 0.0, -1.0)).actor == actor) == (what != "graphics"), (
        "a click finds what is drawn"
    )
    assert (actor in actor_rows(scene, start).ints[0]) == (what != "sensors")
    assert (actor in neighbours_of(scene, start, EGO, 10).id) == (what != "sensors")
    # a driver goes around it, and runs into what is not there for drivers
    assert any(now.contact.rows for now in snapshots(scene, 800, start)) == (what == "traffic")


def test_sensors_and_messages_have_the_sizes_of_the_scenario():
    scene = scene_with(with_others(file_text("")))
    now = start_of(scene)
    floats, ints = actor_rows(scene, now)
    assert floats[SIZE, ints[0].tolist().index(EGO)].tolist() == [5.0, 2.0, 1.5]
    seen = neighbours_of(scene, now, EGO, 10, itself=True)
    row = seen.id.tolist().index(EGO)
    assert (seen.length[row], seen.width[row], seen.height[row]) == (5.0, 2.0, 1.5)
    assert seen.rear_overhang[row] == pytest.approx(1.1)
    made = ActorPlacement(scene, actor_models(scene.models)).of(now)
    # the mesh of the model is as long as the box, and lies where that does
    scale = np.linalg.norm(made.pose[0, :, 0])
    assert scale * scene.models[now.vehicle.model[0]].length == pytest.approx(5.0)
    model = scene.models[now.vehicle.model[0]]
    middle = 0.5 * (model.wheelbase + model.front_overhang - model.rear_overhang) * scale
    assert made.pose[0, 0, 3] + middle == pytest.approx(1.4)
