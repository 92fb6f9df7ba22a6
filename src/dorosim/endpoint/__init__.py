"""Floor 5: sockets, the wall clock, the loop. All I/O, and nothing else."""
