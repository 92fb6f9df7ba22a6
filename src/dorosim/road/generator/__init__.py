"""Towns made by code, in MGeo form."""
