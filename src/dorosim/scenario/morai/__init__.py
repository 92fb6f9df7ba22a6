"""Scenario files as MORAI SIM saves them (.json; facts/ros-grpc-mgeo.md, section 4)."""
