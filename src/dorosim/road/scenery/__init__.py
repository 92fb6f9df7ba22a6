"""What stands beside the road: buildings, trees, signs, lights on their poles, walls; and what of it is solid."""
