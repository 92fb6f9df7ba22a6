"""How actors look: a mesh for each model of the catalogues, made by code, exactly as large as the model's box."""
