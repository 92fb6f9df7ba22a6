"""ROS messages: their definitions, and their forms as bytes, JSON and CBOR."""
