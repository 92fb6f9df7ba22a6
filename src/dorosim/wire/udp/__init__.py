"""MORAI SIM's UDP messages, one module a family (UDP page; facts/udp-wire.md)."""
