"""Sensors of a run, over the native node, as rospy and the usual tools read them."""

from __future__ import annotations

import math

from tests.ros.real_ros import RealRos

SETTINGS = """
[ros]
server = "off"

[[sensor]]
kind = "lidar_3d"
position = [1.0, 0.0, 2.5]
settings = { ideal = true }

[[sensor]]
kind = "camera"
position = [1.5, 0.0, 1.5]
rate_hz = 10
topic = "/front/image"
settings = { width = 160, height = 120 }

[[sensor]]
kind = "gps"
"""

LISTENER = """
import math, struct
from sensor_msgs.msg import CameraInfo, CompressedImage, PointCloud2
from sensor_msgs.point_cloud2 import read_points
from tf2_msgs.msg import TFMessage
from morai_msgs.msg import GPSMessage
told = set()
def once(name, tree):
    if name not in told:
        told.add(name)
        say({"topic": name, **tree()})
def of_cloud(m):
    points = list(read_points(m, ("x", "y", "z", "intensity", "ring", "time")))
    low = [p for p in points if p[4] == 0 and math.hypot(p[0], p[1]) < 15]
    return {"frame": m.header.frame_id, "count": len(points), "step": m.point_step,
        "rings": len({p[4] for p in points}), "span": max(p[5] for p in points) - min(p[5] for p in points),
        "ground": sorted(p[2] for p in low)[len(low) // 2]}
rospy.init_node("listener")
rospy.Subscriber("/lidar3D", PointCloud2, lambda m: once("cloud", lambda: of_cloud(m)))
rospy.Subscriber("/front/image/compressed", CompressedImage, lambda m: once("image", lambda: {
    "frame": m.header.frame_id, "format": m.format, "start": m.data[:2].hex(), "end": m.data[-2:].hex()}))
rospy.Subscriber("/front/camera_info", CameraInfo, lambda m: once("info", lambda: {"width": m.width, "cx": m.K[2]}))
rospy.Subscriber("/tf_static", TFMessage, lambda m: once("tf_static", lambda: {
    "frames": {t.child_frame_id: t.transform.translation.z for t in m.transforms},
    "parents": sorted({t.header.frame_id for t in m.transforms})}))
rospy.Subscriber("/gps", GPSMessage, lambda m: once("gps", lambda: {"status": m.status, "latitude": m.latitude}))
hear()
"""


def test_rospy_reads_clouds_pictures_and_frames(ros: RealRos, tmp_path):
    config = tmp_path / "dorosim.toml"
    config.write_text(SETTINGS)
    with ros.run_dorosim(tmp_path, "--config", str(config)), ros.script(LISTENER) as peer:
        told = [peer.hear(180.0) for _ in range(5)]
        listed = ros.tool("rostopic", "list", "-v")
    found = {one.pop("topic"): one for one in told}
    cloud = found["cloud"]
    assert (cloud["frame"], cloud["step"], cloud["rings"]) == ("Lidar3D-1", 22, 16)
    assert 5_000 < cloud["count"] <= 30_000
    assert 0.09 < cloud["span"] < 0.105
    assert math.isclose(cloud["ground"], -2.5, abs_tol=0.2)
    assert found["image"] == {"frame": "Camera-2", "format": "jpeg", "start": "ffd8", "end": "ffd9"}
    assert found["info"] == {"width": 160, "cx": 79.5}
    assert found["tf_static"] == {"frames": {"Lidar3D-1": 2.5, "Camera-2": 1.5, "GPS-3": 0.0}, "parents": ["base_link"]}
    assert found["gps"]["status"] == 1
    assert " * /lidar3D [sensor_msgs/PointCloud2] 1 publisher" in listed
