"""How the tool-loop asks a model: capability profiles, client, call modes, and models served on this machine."""
