"""Topics of ROS as settings files name them."""

from __future__ import annotations

import pytest

from dorosim.app.serve.ros.topics import ros_offer, ros_registry
from dorosim.app.setting.settings import Settings, read_settings
from dorosim.ground.error import InputError


def settings_of(tmp_path, text: str) -> Settings:
    path = tmp_path / "dorosim.toml"
    path.write_text(text, encoding="utf-8")
    return read_settings(path)


@pytest.mark.parametrize(
    ("revision", "generation"),
    [("22.R1", "2022"), ("24.R1", "2024"), ("24.R2", "2024"), ("25.S4", "2024"), ("26.R1", "26.r1")],
)
def test_the_generation_is_that_of_the_revision_unless_it_is_named(tmp_path, revision, generation):
    assert ros_registry(settings_of(tmp_path, f'[udp]\nrevision = "{revision}"\n')).generation == generation
    both = settings_of(tmp_path, f'[udp]\nrevision = "{revision}"\n[ros]\ngeneration = "2022"\n')
    assert ros_registry(both).generation == "2022"


def test_topics_are_named_by_the_file(tmp_path):
    found = ros_offer(
        settings_of(tmp_path, '[ros.topic.ego]\nname = "/a/ego"\nrate_hz = 20\n[ros.topic.tf]\non = false\n')
    )
    named = {row.key: row for row in found.published}
    assert (named["ego"].topic, named["ego"].rate_hz) == ("/a/ego", 20.0)
    assert "tf" not in named


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[ros.topic.ogjects]\n", "ros.topic.ogjects: is not a known key; did you mean 'objects'?"),
        ("[ros.topic.ego]\nrate = 1\n", "rate"),
        ("[ros.topic.ego]\nrate_hz = -1\n", "ros.topic.ego.rate_hz"),
    ],
)
def test_what_cannot_be_is_told_with_its_key(tmp_path, text, told):
    with pytest.raises(InputError) as caught:
        ros_offer(settings_of(tmp_path, text))
    assert told in str(caught.value)
