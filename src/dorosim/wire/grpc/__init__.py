"""gRPC on the wire: the `.proto` files are the tables, `descriptor` makes classes of them, `check` judges messages.

`proto/` is our own text of the documented API, of the Standard API and of `dorosim.Bulk`. `generated/` is made of it by
`make proto`. Nothing here imports grpc: protobuf is enough to encode and decode.
"""
