"""Tests of the endpoint floor."""
