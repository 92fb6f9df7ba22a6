"""How two networks differ, field by field."""
