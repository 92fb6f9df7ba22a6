"""The loop of a run and what keeps its time: clock, gate of synchronous mode, epochs, and what waits for ticks."""
