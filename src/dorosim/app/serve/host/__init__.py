"""The program around the world as clients of all interfaces use it: runs, files, pace, recordings, rays."""
