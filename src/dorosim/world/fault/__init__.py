"""Faults of controls, tyres and sensors."""
