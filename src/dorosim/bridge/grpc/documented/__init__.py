"""The API of the public gRPC document (documents/grpc-api-en.txt; facts/ros-grpc-mgeo.md, 2.2): a module a heading."""
