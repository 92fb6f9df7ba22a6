"""Sensors beside the loop: the station that reads them, and where their packets and files go."""
