"""The live page: a web page in a process of its own, and what it and the run tell each other."""
