"""The conditions of the standard, a module for each group."""
