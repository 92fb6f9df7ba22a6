"""dorosim: an open, headless, deterministic driving simulator that speaks MORAI SIM's interfaces.

The package is a house of floors (ARCHITECTURE.md): a module imports only from floors below its own.
"""

__version__ = "0.7.0"
