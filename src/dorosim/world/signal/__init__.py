"""Traffic lights: programmes, lamps, and what they mean for those who drive."""
