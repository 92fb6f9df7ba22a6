"""Tests of what the live page shows and means, without any page."""
