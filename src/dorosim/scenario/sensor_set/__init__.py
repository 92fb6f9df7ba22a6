"""Sensor set files, as the product saves them: to records, to commands, and back."""
