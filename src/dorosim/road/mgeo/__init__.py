"""MGeo, MORAI's HD map format: records, reader (2.5 to 3.0) and writer (2.9)."""
