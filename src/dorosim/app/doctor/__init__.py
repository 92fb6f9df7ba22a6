"""`dorosim doctor`: whether this machine can run dorosim, and what slows it down. One function a check."""
