"""A suite as MORAI SIM 2 saves one, on a map that every dorosim has."""

from __future__ import annotations

import json
from pathlib import Path

from tests.scenario.project_sensor import sensor

SCENARIO = """<?xml version="1.0"?>
<OpenSCENARIO>
  <FileHeader author="a" date="2026-03-31T16:44:04.126Z" description="d" revMajor="1" revMinor="2"/>
  <VariableDeclarations>
    <VariableDeclaration name="moraiMap" value="town" variableType="String"/>
  </VariableDeclarations>
  <CatalogLocations/>
  <RoadNetwork><LogicFile filepath="MGeo"/></RoadNetwork>
  <Entities>{entities}</Entities>
  <Storyboard>
    <Init><Actions>{actions}</Actions></Init>
    <Story name="new_story"><Act name="new_act">
      <ManeuverGroup name="g" maximumExecutionCount="1"><Actors selectTriggeringEntities="false"/></ManeuverGroup>
      <StartTrigger><ConditionGroup><Condition name="c" delay="0" conditionEdge="none">
        <ByValueCondition><SimulationTimeCondition rule="greaterThan" value="0"/></ByValueCondition>
      </Condition></ConditionGroup></StartTrigger>
      <StopTrigger/>
    </Act></Story>
    <StopTrigger/>
  </Storyboard>
</OpenSCENARIO>
"""
ENTITY = """
<ScenarioObject name="{name}">
<Vehicle mass="0.0" model3d="MA Formula 4" name="{name}" role="none" vehicleCategory="car">
  <BoundingBox><Center x="1.3" y="0" z="0.34"/><Dimensions height="1.3" length="3.95" width="1.7"/></BoundingBox>
  <Performance maxAcceleration="0.0" maxDeceleration="0.0" maxSpeed="0.0"/>
  <Axles><FrontAxle maxSteering="0" positionX="2.7" positionZ="0" trackWidth="0" wheelDiameter="0"/>
  <RearAxle maxSteering="0" positionX="0" positionZ="0" trackWidth="0" wheelDiameter="0"/></Axles>
  <Properties><Property name="MotionModel" value="Dynamics"/></Properties>
</Vehicle></ScenarioObject>
"""
INIT = """
<Private entityRef="{name}"><PrivateAction><TeleportAction><Position>
  <WorldPosition x="{x}" y="{y}" z="8" h="0.05" p="0" r="0"/>
</Position></TeleportAction></PrivateAction></Private>
"""
INFO = {
    "messageTemplate": {
        "name": "Vehicle Info",
        "segmentList": [
            {
                "type": "FIELDS",
                "fieldList": [
                    {"variableName": "time_stamp.nanos", "variableType": "INT32"},
                    {"variableName": "id", "variableType": "STRING", "length": 24},
                    {
                        "variableName": "ground_vehicle_attributes.chassis_attributes.local_velocity.x",
                        "variableType": "DOUBLE",
                    },
                ],
            }
        ],
    }
}
CONTROL = {
    "messageTemplate": {
        "name": "Vehicle Manual Control",
        "isControl": True,
        "segmentList": [
            {
                "type": "fields",
                "fieldList": [
                    {"variableName": name, "variableType": "double", "length": 0}
                    for name in ("throttle", "brake", "steering_wheel_angle")
                ],
            }
        ],
    }
}

PICTURE = {
    "messageTemplate": {
        "name": "Camera",
        "isSensor": True,
        "segmentList": [
            {
                "type": "FIELDS",
                "fieldList": [
                    {"variableName": "camera_sensor_data.image_size", "variableType": "INT32"},
                    {"variableName": "camera_sensor_data.image_data", "variableType": "BYTES"},
                ],
            }
        ],
    }
}


def interface(name: str, template: str, entity: str, host: int = 0, to: int = 0, direction: str = "SEND") -> dict:
    return {
        "interface": {
            "activate": True,
            "name": name,
            "messageTemplateFileName": template,
            "networkType": "UDP",
            "hertz": 50,
            "direction": direction,
            "hostAddr": {"ip": "127.0.0.1", "port": host},
            "destinationAddr": {"ip": "127.0.0.1", "port": to},
            "entityList": [{"id": entity, "name": entity}],
        }
    }


AGENT = {
    "maxAcceleration": 2,
    "comfortDeceleration": 1.5,
    "minDistance": 1,
    "timeGap": 1.2,
    "desiredSpeed": 9,
    "accelerationExponent": 4,
    "jerk": 3,
}
"""Numbers of an agent, one of which is not known."""


def write_suite(folder: Path, info: int = 0, control: int = 0, picture: int = 0) -> Path:
    """Two projects, one with a car, whose data goes to a port, and one with two cars and two scenarios.

    The car has a camera if there is a port for its pictures.
    """
    one, two = folder / "One", folder / "Two"
    one.mkdir(parents=True)
    two.mkdir()
    (one / "Vehicle Info.tmpl").write_text(json.dumps(INFO))
    (one / "Vehicle Manual Control.tmpl").write_text(json.dumps(CONTROL))
    (one / "Vehicle Info.json").write_text(json.dumps(interface("Vehicle Info", "Vehicle Info", "Car_1", to=info)))
    taken = interface("Control", "Vehicle Manual Control", "Car_1", host=control, direction="RECEIVE")
    (one / "Control.json").write_text(json.dumps(taken))
    (one / "Cam.json").write_text(json.dumps(interface("Cam", "Camera", "Camera_1", to=picture or 9090)))
    if picture:
        (one / "Camera.tmpl").write_text(json.dumps(PICTURE))
    project = {
        "map": {"type": "Standard", "name": "town", "id": 1},
        "sensorList": [sensor(resolutionX=64, resolutionY=48, focalLength=32)] if picture else [],
        "DynamicsCustomData": [
            {
                "ObjectName": "Car_1",
                "vehicleSetup": {"mass": 550, "dragCoefficient": 0.7},
                "axle1": {"maxSteerAngle": 25},
            }
        ],
        "AgentModels": [
            {"agentName": "Car_1", "group": "LongitudinalCarFollowing", "carFollowingModel": "Idm", **AGENT},
            {"agentName": "Car_1", "carFollowingModel": "Gipps", "tau": 1.1},
            {"agentName": "Car_9", "carFollowingModel": "Idm", "timeGap": 1.2},
        ],
        "scenarioList": [{"name": "Alone", "path": "Alone.xosc"}],
        "interfaceList": [
            {"name": "Vehicle Info", "path": "Vehicle Info.json"},
            {"name": "Control", "path": "Control.json"},
            {"name": "Cam", "path": "Cam.json"},
        ],
    }
    (one / "One.mproj").write_text(json.dumps(project))
    (one / "Alone.xosc").write_text(scenario({"Car_1": (-244.4, 73.3)}))
    names = {"map": {"name": "town"}, "scenarioList": [{"name": n, "path": f"{n}.xosc"} for n in ("Pair", "Far")]}
    (two / "Two.mproj").write_text(json.dumps(names))
    (two / "Pair.xosc").write_text(scenario({"Car_1": (-244.4, 73.3), "Car_2": (-224.4, 74.3)}))
    (two / "Far.xosc").write_text(scenario({"Car_1": (-204.4, 75.3)}))
    suite = {
        "name": "My suite",
        "versionFormat": [1, 0],
        "projectList": [
            {"name": "One", "filepath": "One/One.mproj"},
            {"name": "Two", "filepath": "Two\\Two.mproj"},
        ],
    }
    path = folder / "My suite.msuite"
    path.write_text(json.dumps(suite))
    return path


def scenario(cars: dict[str, tuple[float, float]]) -> str:
    entities = "".join(ENTITY.format(name=name) for name in cars)
    return SCENARIO.format(
        entities=entities, actions="".join(INIT.format(name=name, x=x, y=y) for name, (x, y) in cars.items())
    )
