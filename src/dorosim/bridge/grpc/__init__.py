"""gRPC messages to commands, and snapshots to gRPC messages: both APIs, in one table of procedures each."""
