"""Floor 0: units, frames, tables of state, addressed noise, errors. Imports nothing of dorosim."""
