"""A project that MORAI SIM saved (.mproj): its map, its scenarios, the sensors of its vehicles and its interfaces.

Keys are those of a project that MORAI SIM saved in 2026; no page of the manual lists them. Lengths are centimetres, in
the frame of the Unreal Engine: x forward, y right, z up; rotations are quaternions of that frame.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import field

from dorosim.ground.error import InputError
from dorosim.scenario.morai.codec import Record, record_from_file

SUFFIX = ".mproj"
MAX_PROJECT_SIZE = 1 << 22
"""A file of more bytes is taken for a mistake, or for malice."""
MAX_INTERFACES = 1_000


class ProjectMap(Record, frozen=True, kw_only=True):
    """The map of a project."""

    name: str = ""


class ProjectFile(Record, frozen=True, kw_only=True):
    """A file of a project: `path` is relative to the project's folder."""

    name: str = ""
    path: str = ""


class ProjectVector(Record, frozen=True, kw_only=True):
    """Lengths along x forward, y right, z up [cm]."""

    x: float = 0.0
    y: float = 0.0
    z: float = 0.0


class ProjectQuaternion(Record, frozen=True, kw_only=True):
    """A rotation about axes that are forward, right and up, left-handed."""

    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    w: float = 1.0


class SensorTransform(Record, frozen=True, kw_only=True):
    """Where a sensor is on its vehicle."""

    rotation: ProjectQuaternion = ProjectQuaternion()
    translation: ProjectVector = ProjectVector()


class ProjectSensor(Record, frozen=True, kw_only=True):
    """A sensor: keys of cameras are those that MORAI SIM saves; of other kinds, no file shows any."""

    name: str = field(name="sensorName", default="")
    kind: str = field(name="sensorType", default="")
    parent: str = field(name="parentFrame", default="")
    transform: SensorTransform = field(name="sensorTransform", default=SensorTransform())
    rate: float = field(name="frameRate", default=0.0)
    width: int = field(name="resolutionX", default=640)
    height: int = field(name="resolutionY", default=480)
    focal_length: float = field(name="focalLength", default=0.0)
    principal_x: float = field(name="principalPointX", default=0.0)
    principal_y: float = field(name="principalPointY", default=0.0)
    k1: float = field(name="distortionCoefficient_K1", default=0.0)
    k2: float = field(name="distortionCoefficient_K2", default=0.0)
    k3: float = field(name="distortionCoefficient_K3", default=0.0)
    p1: float = field(name="distortionCoefficient_P1", default=0.0)
    p2: float = field(name="distortionCoefficient_P2", default=0.0)
    boxes_2d: bool = field(name="bBOX_2D", default=False)
    boxes_3d: bool = field(name="bBOX_3D", default=False)
    semantic: bool = field(name="imageType_Semantic", default=False)
    instance: bool = field(name="imageType_Instance", default=False)
    depth: bool = field(name="imageType_Depth", default=False)
    depth_of_field: bool = field(name="depthOfField", default=False)
    motion_blur: bool = field(name="motionBlur", default=False)
    chromatic_aberration: bool = field(name="chromaticAberration", default=False)
    bloom: bool = False
    lens_flare: bool = field(name="lensFlare", default=False)


class KineticsModel(Record, frozen=True, kw_only=True):
    """How a vehicle moves: `dynamicType` "Dynamics" for one with tyres."""

    parent: str = field(name="parentName", default="")
    motion: str = field(name="dynamicType", default="")


class ProjectFileRecord(Record, frozen=True, kw_only=True):
    """What a project holds."""

    map: ProjectMap = ProjectMap()
    sensors: tuple[ProjectSensor, ...] = field(name="sensorList", default=())
    scenarios: tuple[ProjectFile, ...] = field(name="scenarioList", default=())
    interfaces: tuple[ProjectFile, ...] = field(name="interfaceList", default=())
    kinetics: tuple[KineticsModel, ...] = field(name="kineticsModelList", default=())


class InterfaceAddress(Record, frozen=True, kw_only=True):
    """An address of an interface."""

    ip: str = "127.0.0.1"
    port: int = 0


class InterfaceEntity(Record, frozen=True, kw_only=True):
    """What an interface is about: the name of a sensor or vehicle."""

    name: str = field(name="id", default="")


class InterfaceRos(Record, frozen=True, kw_only=True):
    """The topic of an interface."""

    topic: str = field(name="topicName", default="")


class Interface(Record, frozen=True, kw_only=True):
    """How data of a project leaves or comes in."""

    active: bool = field(name="activate", default=True)
    name: str = ""
    template: str = field(name="messageTemplateFileName", default="")
    hertz: float = 60.0
    network: str = field(name="networkType", default="UDP")
    direction: str = "SEND"
    host: InterfaceAddress = field(name="hostAddr", default=InterfaceAddress())
    destination: InterfaceAddress = field(name="destinationAddr", default=InterfaceAddress())
    entities: tuple[InterfaceEntity, ...] = field(name="entityList", default=())
    ros: InterfaceRos = field(name="rosInfo", default=InterfaceRos())


class InterfaceFile(Record, frozen=True, kw_only=True):
    """A file of an interface."""

    interface: Interface = Interface()


def read_project(source: str, content: bytes) -> ProjectFileRecord:
    """A project.

    Args:
        source: the file, as messages shall name it.
        content: its bytes.

    Raises:
        InputError: the file is broken; it names line and column, or the key path.
    """
    project = record_from_file(ProjectFileRecord, "project", MAX_PROJECT_SIZE, source, content)
    if len(project.interfaces) > MAX_INTERFACES:
        raise InputError(source, "interfaceList", f"has more than {MAX_INTERFACES:,} interfaces", "take fewer")
    return project


def read_interfaces(
    project: ProjectFileRecord, read: Callable[[str], tuple[str, bytes]]
) -> tuple[tuple[Interface, ...], tuple[str, ...]]:
    """The interfaces of a project, and what is wrong with those that cannot be read, one line each.

    Args:
        project: that names them.
        read: gives path and bytes of a file that the project names; raises InputError.
    """
    found: list[Interface] = []
    notes: list[str] = []
    for one in project.interfaces:
        try:
            source, content = read(one.path)
            found.append(record_from_file(InterfaceFile, "interface", MAX_PROJECT_SIZE, source, content).interface)
        except InputError as error:
            notes.append(f"interface {one.name!r} is left out: {error}")
    return tuple(found), tuple(notes)
