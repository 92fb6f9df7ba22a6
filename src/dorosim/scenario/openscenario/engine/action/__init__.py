"""The actions of the standard, a module for each group."""
