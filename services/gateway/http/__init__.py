"""The gateway's HTTP API, for adapters that have no NATS."""
