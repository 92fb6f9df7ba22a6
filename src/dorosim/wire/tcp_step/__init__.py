"""The messages of MORAI SIM 2's fixed step over TCP, and of the UDP without a header beside it."""
