"""The program around the world, as interfaces see it (`dorosim.bridge.host`): one module a part of it."""
