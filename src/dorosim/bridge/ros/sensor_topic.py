"""The topics of sensors as rows of the catalogue of topics; `dorosim.bridge.ros.sensor` chooses those of a run."""

from __future__ import annotations

from dorosim.bridge.ros.topic import Published, nothing_to_tell
from dorosim.bridge.sensor.kind import OUTPUTS

SENSORS: tuple[Published, ...] = (
    *(
        Published(
            key=row.key,
            topic=row.topic,
            type=row.type,
            make=nothing_to_tell,
            frame=row.frame,
            on=row.on,
            pushed=True,
        )
        for output in OUTPUTS.values()
        for row in output.topics
    ),
    Published(
        key="tf_static",
        topic="/tf_static",
        type="tf2_msgs/TFMessage",
        make=nothing_to_tell,
        latched=True,
        pushed=True,
    ),
)
"""Topics of a sensor of each kind; `frame` is what its frame id begins with, before its number."""
