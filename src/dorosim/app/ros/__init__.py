"""ROS around a run: nodes and servers, which topics there are, and packages of messages to be written."""
