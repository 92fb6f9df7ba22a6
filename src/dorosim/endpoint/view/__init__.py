"""The live page: a web page in a process of its own, and the messages between it and the run."""
