"""The topics of sensors as rows of the catalogue of topics; `dorosim.bridge.ros.sensor` chooses those of a run."""

from __future__ import annotations

from dorosim.bridge.ros.topic import Published, no_message
from dorosim.bridge.sensor.kind import OUTPUTS

SENSORS: tuple[Published, ...] = (
    *(
        Published(row.key, row.topic, row.type, no_message, frame=row.frame, on=row.on, pushed=True)
        for output in OUTPUTS.values()
        for row in output.topics
    ),
    Published("tf_static", "/tf_static", "tf2_msgs/TFMessage", no_message, latched=True, pushed=True),
)
"""Topics of a sensor of each kind; `frame` is what its frame id begins with, before its number."""
