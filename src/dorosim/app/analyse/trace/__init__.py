"""Recordings as tables of what happened, to be drawn and summed up."""
