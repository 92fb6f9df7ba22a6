"""The figures of `dorosim bench`: ratios to a floor measured in the same run, one module a subject."""
