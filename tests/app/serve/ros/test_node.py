"""Settings of the native ROS 1 node are looked at before the run."""

from __future__ import annotations

import pytest

from dorosim.app.serve.ros.node import check_node
from dorosim.app.setting.settings import RosSettings
from dorosim.ground.error import InputError


def test_a_line_tells_of_the_node_and_without_a_master_there_is_none():
    assert check_node(RosSettings()) == ()
    settings = RosSettings(master="http://127.0.0.1:11311", node="car/dorosim")
    assert check_node(settings) == ("ROS 1 node /car/dorosim of the master at http://127.0.0.1:11311",)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (RosSettings(master="127.0.0.1:11311"), "http://127.0.0.1:11311"),
        (RosSettings(master="http://127.0.0.1"), "http://127.0.0.1:11311"),
        (RosSettings(master="http://a:1", node="/1 2"), "is not a valid name of a node"),
        (RosSettings(master="http://a:1", host="no host"), "ros.host"),
        (RosSettings(master="http://a:1", host=""), "ros.host"),
    ],
)
def test_what_cannot_be_is_refused_with_a_cure(settings, told):
    with pytest.raises(InputError, match=r".") as error:
        check_node(settings)
    assert told in str(error.value)
