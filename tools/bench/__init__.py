"""The figures that `dorosim bench` prints."""
