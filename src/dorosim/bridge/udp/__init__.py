"""The bridge between MORAI SIM's UDP messages and the world."""
