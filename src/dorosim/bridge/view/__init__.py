"""What the live page shows of a snapshot, and which commands its buttons mean. No page, no socket."""
