"""Sensors as the world knows them: where they are mounted, how often they read and what they are set to."""
