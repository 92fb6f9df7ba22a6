"""Floor 4: messages to commands, snapshots to messages. The one place that knows both; pure, no I/O."""
