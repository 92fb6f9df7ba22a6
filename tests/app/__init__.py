"""Tests of settings, files and the command line."""
