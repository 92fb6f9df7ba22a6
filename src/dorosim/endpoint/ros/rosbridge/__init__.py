"""rosbridge v2: a server of our own, and a client of the user's, as the product is one."""
