"""Sweeps: thousands of runs of scenarios, on processes of this machine or on Ray, and what their results say."""
