"""The ROS interface beside the runs of a program."""
