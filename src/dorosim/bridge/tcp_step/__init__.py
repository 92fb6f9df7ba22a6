"""What messages of MORAI SIM 2's fixed step over TCP mean, and what its datagrams say of a snapshot."""
