"""The Standard API (facts/standard-api.json; facts/ros-grpc-mgeo.md, 2.3): a module a service."""
