"""The gRPC server. Importing a module of it imports grpc, so only runs that serve it do."""
