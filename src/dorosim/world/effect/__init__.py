"""What commands do to the draft of the next snapshot.

One function a command, in the module of its kind; it returns why the command is refused, or an empty string. A refused
command changes nothing.
"""
