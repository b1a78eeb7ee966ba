"""How the tool-loop asks a model: capability profiles, the client, the call modes, and models served on this machine."""
