"""Messages to the simulator itself: scenario, sensors, multi ego (facts/udp-wire.md, 3.8 to 3.10 and 4.1)."""

from __future__ import annotations

from dorosim.ground.unit import KMH, METRE
from dorosim.wire.message import (
    Envelope,
    Layout,
    Wire,
    chars,
    f32,
    f32s,
    flag,
    i8,
    i16,
    i32,
    map_position,
    message,
    record,
    roll_pitch_yaw,
    slots,
)
from dorosim.wire.udp.code import CtrlMode, Gear


@message(
    Envelope("ScenarioLoad"),
    to="simulator",
    source="UDP page, Scenario Load; facts/udp-wire.md 3.8",
    layouts=(Layout(69),),
    default_port=9099,
)
class ScenarioLoad(Wire):
    """Loads a scenario file. The load options count where delete_all is false."""

    file_name: str = chars(30, "scenario file without .json", pad=b" ")
    delete_all: bool = flag("delete what is there, except the ego vehicle, and load all")
    load_network_connection_data: bool = flag("load network settings")
    load_ego_vehicle_data: bool = flag("load the ego vehicle")
    load_surrounding_vehicle_data: bool = flag("load NPC vehicles")
    load_pedestrian_data: bool = flag("load pedestrians")
    load_object_data: bool = flag("load objects")
    set_pause: bool = flag("stay paused after loading")


@message(
    Envelope("SaveSensorData"),
    to="simulator",
    source="UDP page, SaveSensorData; facts/udp-wire.md 3.9",
    layouts=(Layout(125),),
    default_port=9105,
)
class SaveSensorData(Wire):
    """Saves what the sensors see now."""

    is_custom_file_name: bool = flag("use the name and folder below")
    custom_file_name: str = chars(30, "file name", pad=b" ")
    file_dir: str = chars(60, "folder", pad=b" ")


@message(
    Envelope("SensorControl"),
    to="simulator",
    source="UDP page, Sensor Control; facts/udp-wire.md 3.10",
    layouts=(Layout(59),),
    default_port=9103,
)
class SensorControl(Wire):
    """Moves a sensor on the ego vehicle."""

    sensor_index: int = i16("index of the sensor in the sensor set")
    position: tuple[float, ...] = f32s(3, METRE, "mount", frame="body", low=-100.0, high=100.0, beyond="refuse")
    rotation: tuple[float, ...] = roll_pitch_yaw("roll, pitch, yaw", "body")


@message(
    Envelope("UserDefinedValue"),
    to="simulator",
    source="dorosim's own: ASAM OpenSCENARIO XML 1.3, UserDefinedValueCondition",
    layouts=(Layout(156),),
)
class UserDefinedValue(Wire):
    """Gives the storyboard that runs a value, which its conditions look at. Every port for commands takes it."""

    name: str = chars(60, "name of the value", pad=b" ")
    value: str = chars(60, "value; what is a number is compared as one", pad=b" ")


@record
class MultiEgo(Wire):
    """One ego vehicle to place."""

    ego_index: int = i16("number of the ego vehicle in the order of creation, from 1; 0 is the first one, too")
    position: tuple[float, ...] = map_position("position of the body origin")
    rotation: tuple[float, ...] = roll_pitch_yaw("roll, pitch, yaw", "map")
    speed: float = f32(KMH, "speed along body x", low=-1000.0, high=1000.0)
    gear: Gear = i8("gear", enum=Gear)
    ctrl_mode: CtrlMode = i8("driver", enum=CtrlMode)


@message(
    Envelope("MultiEgoSetting"),
    to="simulator",
    source="UDP page, Multi Ego Setting; facts/udp-wire.md 4.1 and 8.6",
    layouts=(Layout(683),),
    default_port=7604,
)
class MultiEgoSetting(Wire):
    """Places up to 20 ego vehicles."""

    num_of_ego: int = i32("how many of the slots count", low=0, high=20, beyond="refuse")
    camera_index: int = i32("number of the ego vehicle that the camera follows")
    egos: tuple[MultiEgo, ...] = slots(MultiEgo, 20, "ego vehicles", counted_by="num_of_ego")
