"""The tests of dorosim, from the ground up."""
