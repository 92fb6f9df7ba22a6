"""Traffic lights: programmes, lamps, and the permissions that they give to drivers."""
