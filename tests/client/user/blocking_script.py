"""A user's script that type checkers must find nothing wrong with; it is checked, not run."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from dorosim.client import (
    Camera,
    CameraPicture,
    CameraSettings,
    Client,
    Frame,
    GpsFix,
    ImuSample,
    Lidar,
    PointCloud,
    RadarDetections,
    SeenObjects,
    Sensor,
    connect,
)


def brightness(picture: CameraPicture) -> float:
    image: NDArray[np.uint8] = picture.image
    return float(image.mean())


def heights(cloud: PointCloud) -> NDArray[np.float64]:
    return cloud.in_map(cloud.xyz)[:, 2]


def drive(client: Client) -> Iterator[float]:
    camera: Camera = client.add_camera(
        width=1280, height=720, image="rgb", rate=20, position=(1.5, 0.0, 1.4), noise=True
    )
    settings: CameraSettings = {"image": "depth", "far": 80.0}
    depth = client.add_camera("Ego", **settings)
    lidar: Lidar = client.add_lidar(model="HDL-32E", rotation=0.1)
    radar: Sensor[RadarDetections] = client.add_radar(range=120.0)
    gps: Sensor[GpsFix] = client.add_gps(white=(0.5, 0.5, 1.0))
    imu: Sensor[ImuSample] = client.add_imu()
    truth: Sensor[SeenObjects] = client.add_ground_truth(filter=("vehicle", "pedestrian"))
    print(depth.picture().depth, radar.read().range_rate, gps.read().latitude, imu.read().acceleration)
    print(len(truth.read()), client.sensor(3).read().time, client.road_map().nearest_lane(0.0, 0.0))
    for picture in camera:
        yield brightness(picture)
        break
    camera.listen(lambda picture: print(picture.time))
    camera.stop()
    with client.synchronous(0.05):
        for frame in client.frames(camera, lidar):
            yield from readings(frame, camera, lidar)
            break
    client.set_weather("rainy")
    client.set_hour(21.5)
    client.set_sky(rain=12.0, visibility=400.0)
    client.set_friction(0.6)
    client.start(seed=7)
    free: float | None = client.cast_ray((0.0, 0.0, 1.0), (10.0, 0.0, 1.0), own_vehicle=False)
    print(free, client.sky().visibility)
    camera.remove()


def readings(frame: Frame, camera: Camera, lidar: Lidar) -> Iterator[float]:
    picture, cloud = frame[camera], frame[lidar]
    yield picture.time - cloud.time
    yield from (one.time for one in frame.all(camera))
    yield float(heights(cloud).max())


if __name__ == "__main__":
    with connect() as made:
        print(list(drive(made)))
