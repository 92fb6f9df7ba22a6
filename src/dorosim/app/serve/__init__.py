"""The interfaces beside the runs of a program: gRPC, ROS, the live page, sensors, and the host that they share."""
