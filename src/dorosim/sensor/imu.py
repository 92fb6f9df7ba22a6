"""An inertial measurement unit: accelerometers, gyroscopes, and the orientation of their housing.

Noise has the form of IEEE Std 952 (annex C): white noise of a stated density, a random walk of the bias of a stated
density, and a bias that comes and goes as a first-order Gauss-Markov process. The slow ones live in the Snapshot
(`dorosim.world.mount.drift`).
"""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import FloatArray, read_only
from dorosim.sensor.imu_kernel import measure
from dorosim.sensor.motion import motion_of_sensor
from dorosim.sensor.reading import ImuReading
from dorosim.sensor.sensor_input import SensorInput
from dorosim.world.mount.setting import ImuSettings
from dorosim.world.mount.state import Mount
from dorosim.world.scene import Scene


class Imu:
    """An inertial measurement unit; it draws from the stream "sensor/<number>/imu".

    Args:
        mount: with `ImuSettings`.
    """

    def __init__(self, mount: Mount) -> None:
        assert isinstance(mount.settings, ImuSettings)
        self.name = f"sensor/{mount.id}/imu"
        self.white = white_deviation(mount.settings, mount.period)

    def read(self, inputs: SensorInput) -> ImuReading:
        """What it measures."""
        motion = motion_of_sensor(inputs)
        quaternion, rate, force = measure(
            motion.rotation,
            motion.specific_force,
            motion.angular_velocity,
            self.white,
            inputs.mount.noise,
            inputs.noise.key(self.name),
            inputs.now.tick,
        )
        w, x, y, z = quaternion.tolist()
        return ImuReading(
            sensor=inputs.mount.id,
            time=inputs.now.time,
            orientation=(w, x, y, z),
            angular_velocity=rate,
            acceleration=force,
        )


def make_imu(mount: Mount, _scene: Scene) -> Imu:
    """The IMU of a mount."""
    return Imu(mount)


def white_deviation(settings: ImuSettings, period: int) -> FloatArray:
    """`(6,)` standard deviation of each reading's white noise, of acceleration [m/s²], then of rate [rad/s]; read-only.

    A mean over the period T of noise of density N has the deviation N / sqrt(T).

    Args:
        settings: give the densities.
        period: from reading to reading [ns].
    """
    density = np.array((*settings.acceleration_white, *settings.rate_white), np.float64)
    return read_only(density / np.sqrt(period * 1e-9))
