"""Fixtures with real ROS 1."""

from __future__ import annotations

from tests.ros.real_ros import ros

__all__ = ("ros",)
