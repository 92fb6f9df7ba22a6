"""OpenSCENARIO XML 1.0 to 1.3.1: files become frozen records, with all problems of a file at once."""
