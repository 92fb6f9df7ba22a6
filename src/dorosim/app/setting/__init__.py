"""Settings of a run: the file, the options that count before it, the product's own network files, and their checks."""
